/**
 * Chooses the tools of a run whose agent may have more than its budget allows. No model call. The list of a session is stored with it, so that
 * later runs and other processes begin with the same tools and prompt caches hold. Agents whose tools all fit never come here.
 */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import { allowsTool } from '../../port/run_tools';
import type { Store, StoreReader, StoreTransaction } from '../../port/store/store';
import { isForeign } from '../../runtime/tool_assembler';
import type { AgentDirectory, AssembledAgent } from '../../service/agent/agent_directory';
import type { AgentSkills } from '../../service/agent/agent_skills';
import type { ToolCandidates } from '../../service/agent/discovery';
import type { ToolBudget } from '../../service/agent/tool_budget';
import type {
  ChoosingRun,
  OpenedRun,
  RankedMessage,
  RankedTool,
  RunOfSession,
  RunToolChoice,
  ToolChoice,
} from '../../service/agent/tool_choice';
import type { ToolRegistry } from '../../tools/registry';
import type { Slot } from '../../utils/slot';
import { chooseTools } from './choose_tools';
import { GrowingTools } from './growing_tools';
import { mixRankings, type ToolMeanings } from './tool_meanings';
import { ToolRanking } from './tool_ranking';

export interface ToolChooserDeps {
  store: Store;
  clock: Clock;
  tools: ToolRegistry;
  agents: AgentDirectory;
  skills: Slot<AgentSkills>;
  toolMeanings: ToolMeanings;
  budget: ToolBudget;
  onError: LogError;
}

export class ToolChooser implements RunToolChoice {
  private ranking: { version: number; ranking: ToolRanking } | undefined;

  constructor(private readonly deps: ToolChooserDeps) {}

  get asksServer(): boolean {
    return this.deps.toolMeanings.isEnabled;
  }

  prepareRanking(message: RankedMessage, sessionId: string | undefined): Promise<void> {
    return this.deps.toolMeanings.prepareRanking(message, sessionId);
  }

  async startRun(tx: StoreTransaction, run: RunOfSession, agent: AssembledAgent): Promise<AssembledAgent> {
    const { agents } = this.deps;
    if (!agent.candidates) return agents.agentForCaller(agent, agent, run);
    const { names, isChanged } = await this.choose(tx, run, agent);
    if (isChanged) await tx.sessionTools.put({ ...keyOf(run), names, updatedAt: this.deps.clock.now() });
    return agents.agentForCaller(agents.agentWith(agent, names, run.locale), agent, run);
  }

  async agentFor(run: OpenedRun, agent: AssembledAgent, read: StoreReader): Promise<AssembledAgent> {
    const { candidates } = agent;
    const { agents, budget } = this.deps;
    if (!candidates) return agents.agentForCaller(agent, agent, run);
    const names = (await read.sessionTools.get(keyOf(run)))?.names ?? [];
    const chosen = agents.agentWith(agent, names, run.locale);
    const onAdd = (added: readonly string[]) => this.storeAdded(run, added);
    const tools = new GrowingTools(chosen.tools, { candidates: candidates.byName, locale: run.locale, budget, onAdd });
    if (run.epoch > 1) tools.addWanted(await this.skillHints(read, run, candidates));
    return agents.agentForCaller({ ...chosen, tools }, agent, run);
  }

  async choose(read: StoreReader, run: ChoosingRun, agent: AssembledAgent): Promise<ToolChoice> {
    const { candidates } = agent;
    if (!candidates) return { names: [], hints: [], ranked: [], isChanged: false };
    const { sessionId } = run;
    const kept = sessionId === undefined ? [] : ((await read.sessionTools.get(keyOf({ ...run, sessionId })))?.names ?? []);
    const hints = await this.skillHints(read, run, candidates);
    const worded = this.rank({ message: run.input, plan: await planOf(read, run) });
    const near = this.deps.toolMeanings.rankingFor({ tenantId: run.tenantId, message: run.input });
    const ranked = (near ? mixRankings(worded, near) : worded).filter(({ name }) => candidates.byName.has(name));
    const chosen = chooseTools({
      fixed: candidates.fixed,
      candidates: candidates.tokens,
      kept,
      hints,
      ranked,
      budget: this.deps.budget,
    });
    // The session keeps tools that only this run may not use.
    const only = run.limits?.tools;
    const names = only ? [...new Set([...chosen, ...kept.filter(name => !allowsTool(only, name))])] : chosen;
    const isChanged = names.length !== kept.length || names.some((name, i) => name !== kept[i]);
    return { names, hints, ranked, ranking: near ? 'words_and_meaning' : 'words', isChanged };
  }

  /** The names of tools in the skills that the session has read. */
  private async skillHints(read: StoreReader, { tenantId, sessionId }: ChoosingRun, { byName }: ToolCandidates): Promise<string[]> {
    if (sessionId === undefined) return [];
    const tools = await this.deps.skills.current.listWantedTools(tenantId, sessionId, read);
    return [...new Set(tools)].filter(name => byName.has(name));
  }

  /** Builds the index with the first choice after a change of the tools. */
  private rank(query: { message: string; plan: string }): RankedTool[] {
    const { tools } = this.deps;
    if (this.ranking?.version !== tools.version) {
      this.ranking = { version: tools.version, ranking: new ToolRanking(tools.list().filter(isForeign)) };
    }
    return this.ranking.ranking.rank(query);
  }

  /**
   * Stores added tools. The call does not wait: they share a commit with later writes of the run. After a crash before that, the model calls the tool
   * again.
   */
  private storeAdded(run: RunOfSession, added: readonly string[]): void {
    const { store, clock, onError } = this.deps;
    const key = keyOf(run);
    const write = async (tx: StoreTransaction) => {
      const names = (await tx.sessionTools.get(key))?.names ?? [];
      const all = [...new Set([...names, ...added])];
      if (all.length > names.length) await tx.sessionTools.put({ ...key, names: all, updatedAt: clock.now() });
    };
    store
      .transaction({ session: run }, write)
      .catch(thrown => onError(`the tools ${added.join(', ')} cannot be added to a session`, thrown));
  }
}

const keyOf = ({ tenantId, sessionId, agent }: Pick<RunOfSession, 'tenantId' | 'sessionId' | 'agent'>) => ({ tenantId, sessionId, agent });

async function planOf(read: StoreReader, { tenantId, sessionId }: ChoosingRun): Promise<string> {
  if (sessionId === undefined) return '';
  const { todos = [] } = (await read.todos.get(tenantId, sessionId)) ?? {};
  const open = todos.filter(({ status }) => status === 'pending' || status === 'in_progress');
  return open.map(({ content }) => content).join('\n');
}
