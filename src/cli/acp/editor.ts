/** The questions and messages of the agent to the editor. */
import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { acpSdk } from './acp_sdk';

export class Editor {
  capabilities: ClientCapabilities = {};

  constructor(
    private readonly context: AgentContext,
    /** Writes a line for the person who looks for a mistake; stdout carries the protocol alone. */
    readonly log: (line: string) => void,
  ) {}

  /** True when the editor shows forms. */
  get takesForms(): boolean {
    return Boolean(this.capabilities.elicitation?.form);
  }

  async update(sessionId: string, update: SessionUpdate): Promise<void> {
    await this.context.notify(acpSdk().methods.client.session.update, { sessionId, update });
  }

  requestPermission(request: RequestPermissionRequest, cancellationSignal: AbortSignal): Promise<RequestPermissionResponse> {
    return this.context.request(acpSdk().methods.client.session.requestPermission, request, { cancellationSignal });
  }

  elicit(request: CreateElicitationRequest, cancellationSignal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.context.request(acpSdk().methods.client.elicitation.create, request, { cancellationSignal });
  }
}
