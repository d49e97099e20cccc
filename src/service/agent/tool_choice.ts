/** Chooses the tools of a run whose agent may have more than the model should get; the feature `tool_choice` does it. */
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import type { AgentDirectory, AssembledAgent } from './agent_directory';

export type ToolReason = 'always' | 'toolset' | 'skill_hint' | 'relevance';

export interface RankedTool {
  name: string;
  /** 0 to 1; the best tool of this ranking has 1, or less when no tool fits well. */
  score: number;
}

/** The fields of a run that the choice reads; without a session nothing was chosen yet. */
export type ChoosingRun = Pick<RunRecord, 'tenantId' | 'agent' | 'locale' | 'input'> &
  Partial<Pick<RunRecord, 'sessionId' | 'caller' | 'limits'>>;
export type RunOfSession = ChoosingRun & Pick<RunRecord, 'sessionId'>;
export type OpenedRun = RunOfSession & Pick<RunRecord, 'epoch'>;

export interface ToolChoice {
  /** Names for the store. */
  names: readonly string[];
  hints: readonly string[];
  ranked: readonly RankedTool[];
  /** Kind of ranking; absent when all tools go. */
  ranking?: 'words' | 'words_and_meaning';
  /** The list differs from the stored one. */
  isChanged: boolean;
}

/** `message`: the text that the person sent. */
export interface RankedMessage {
  tenantId: string;
  message: string;
}

export interface RunToolChoice {
  /** True when a choice asks a server: then `prepareRanking` must be called before the transaction that starts the run. */
  readonly asksServer: boolean;
  /**
   * Ranks the tools for a message. Waits for the server for half a second at most, so never call it in a transaction. Calls for the same session end
   * in their order. Never rejects.
   */
  prepareRanking(message: RankedMessage, sessionId: string | undefined): Promise<void>;
  /** Chooses the tools of a run that starts, in the transaction that starts it. Returns the agent with these tools. Rejects `store_unavailable`. */
  startRun(tx: StoreTransaction, run: RunOfSession, agent: AssembledAgent): Promise<AssembledAgent>;
  /**
   * Returns the agent with the tools that were chosen when the run started. The list grows when the model calls a tool that was left out, and when it
   * reads a skill. After an interruption the tools of read skills are added again.
   */
  agentFor(run: OpenedRun, agent: AssembledAgent, read: StoreReader): Promise<AssembledAgent>;
  /** Chooses and stores nothing. */
  choose(read: StoreReader, run: ChoosingRun, agent: AssembledAgent): Promise<ToolChoice>;
}

/** Chooses nothing: each run gets all tools that its agent may have. */
export class AllTools implements RunToolChoice {
  readonly asksServer = false;

  constructor(private readonly agents: Pick<AgentDirectory, 'agentWith' | 'agentForCaller'>) {}

  async prepareRanking(): Promise<void> {}

  async startRun(_tx: StoreTransaction, run: RunOfSession, agent: AssembledAgent): Promise<AssembledAgent> {
    return this.withAll(run, agent);
  }

  async agentFor(run: OpenedRun, agent: AssembledAgent): Promise<AssembledAgent> {
    return this.withAll(run, agent);
  }

  async choose(_read: StoreReader, _run: ChoosingRun, { candidates }: AssembledAgent): Promise<ToolChoice> {
    return { names: [...(candidates?.byName.keys() ?? [])], hints: [], ranked: [], isChanged: false };
  }

  private withAll(run: RunOfSession, agent: AssembledAgent): AssembledAgent {
    const all = [...(agent.candidates?.byName.keys() ?? [])];
    return this.agents.agentForCaller(this.agents.agentWith(agent, all, run.locale), agent, run);
  }
}
