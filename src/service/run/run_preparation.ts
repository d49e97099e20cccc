/** Does the requests to servers that a run needs, before the transaction that starts it, because a transaction must not wait for a server. */
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { Slot } from '../../utils/slot';
import type { AgentDirectory } from '../agent/agent_directory';
import type { RunToolChoice } from '../agent/tool_choice';
import type { StartRequest } from './start_request';

export interface RunPreparationDeps {
  store: Store;
  agents: AgentDirectory;
  toolChoice: Slot<RunToolChoice>;
  defaultLocale: Locale;
}

export type PreparedRequest = Pick<StartRequest, 'tenantId' | 'text' | 'sessionId' | 'agent' | 'locale'> &
  Partial<Pick<StartRequest, 'onBusy'>>;

export class RunPreparation {
  constructor(private readonly deps: RunPreparationDeps) {}

  /** Returns undefined when there is nothing to prepare, so that most runs start without a wait. The promise never rejects. */
  prepareRequest(request: PreparedRequest): Promise<void> | undefined {
    return this.deps.toolChoice.current.asksServer ? this.rankTools(request) : undefined;
  }

  /** As prepareRequest, for the run that a session starts next. */
  prepareNextRun(tenantId: string, sessionId: string): Promise<void> | undefined {
    return this.deps.toolChoice.current.asksServer ? this.rankForNextRun(tenantId, sessionId) : undefined;
  }

  private async rankForNextRun(tenantId: string, sessionId: string): Promise<void> {
    try {
      const run = await this.deps.store.read.runs.nextQueued(tenantId, sessionId);
      if (run) await this.rankTools({ ...run, text: run.input });
    } catch {
      // Ignored: the start of the run meets the same error and reports it.
    }
  }

  /** Ranks tools by meaning, only for a run that starts now and an agent that may have more tools than its budget. */
  private async rankTools({ tenantId, text, sessionId, onBusy, ...request }: PreparedRequest): Promise<void> {
    const { store, agents, toolChoice, defaultLocale } = this.deps;
    try {
      const session = sessionId === undefined ? undefined : await store.read.sessions.get(tenantId, sessionId);
      const { agent = session?.agent ?? 'default', locale = session?.locale ?? defaultLocale } = request;
      if (!agents.agentFor({ tenantId, agent, locale }).candidates) return;
      const isQueued = session && onBusy !== undefined && onBusy !== 'interrupt' && (await store.read.runs.active(tenantId, session.id));
      if (!isQueued) await toolChoice.current.prepareRanking({ tenantId, message: text }, session?.id);
    } catch {
      // Ignored: the start of the run meets the same error and reports it.
    }
  }
}
