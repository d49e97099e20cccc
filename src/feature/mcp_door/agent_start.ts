/** The run that the call of an agent by an MCP client starts. */
import type { StartRequest } from '../../service/run/start_request';
import type { ServiceSettings } from '../../service/service_settings';
import { createDecoder } from '../../wire/decode';
import type { McpCaller } from './mcp_client';
import { AgentArguments } from './offered_tools';
import { interactionOf } from './person_answers';

/** A call of an agent. */
export interface AgentRequest {
  agent: string;
  args: Record<string, unknown>;
  caller: McpCaller;
  origin: Pick<StartRequest, 'trace' | 'requestId'>;
}

const decodeArguments = createDecoder(AgentArguments);

/** Throws `invalid_request` for arguments that the agent does not take. */
export function toStartRequest({ agent, args, caller, origin }: AgentRequest, settings: ServiceSettings): StartRequest {
  const { input, ...rest } = decodeArguments(args);
  const { tenantId, keyName } = caller.principal;
  return {
    ...rest,
    tenantId,
    keyName,
    agent,
    door: 'mcp',
    text: input,
    ...origin,
    // The calling model learns that the session is busy; a queue would look like a slow agent.
    onBusy: 'reject',
    interaction: interactionOf(caller, settings),
  };
}
