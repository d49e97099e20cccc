/** Assembles what the loop needs to replay a run: the prompt and the tools as they are today, the history as it was recorded. */
import type { IdSource } from '../../../port/clock';
import type { SystemMessage, UserMessage } from '../../../port/llm';
import type { ReadableStore } from '../../../port/store/store';
import type { AgentRunParams } from '../../../runtime/agent_run';
import { toHistorySummary } from '../../../runtime/compaction/visible_history';
import { RunSpending } from '../../../runtime/run_spending';
import { TodoStore } from '../../../runtime/todo_store';
import type { AgentDirectory, AssembledAgent } from '../../../service/agent/agent_directory';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import { isEmpty, mergeParameters } from '../../../service/model/model_parameters';
import { type ToolPorts, toolPorts } from '../../../service/tool/tool_ports';
import type { RecordedRun } from '../store/recorded_run';
import { createImageReader } from './recorded_images';
import type { ReplayJournal } from './replay_journal';
import type { ReplayCaller, ReplayOptions } from './replay_options';
import { SteppedTools } from './stepped_tools';

export interface ReplayAssemblyDeps extends ToolPorts {
  store: ReadableStore<'runs' | 'images'>;
  ids: IdSource;
  agents: AgentDirectory;
  models: Pick<ModelCatalog, 'contextTokensOf'>;
  limits: { maxToolIterations: number; maxContextMessages: number };
}

type Assembled = Omit<AgentRunParams, 'llm' | 'model' | 'toolRunner'> & { agent: string };

/** `options.model` counts for the size of the context window. */
export function assembleReplay(
  deps: ReplayAssemblyDeps,
  run: RecordedRun,
  { caller, journal, ...options }: ReplayOptions & { caller: ReplayCaller; journal: ReplayJournal },
): Assembled {
  const { clock, ids, models, limits } = deps;
  const { locale, history, answers, turnStart } = run;
  const agentWith = agentsOf(deps, run, { tenantId: caller.tenantId, name: options.agent });
  const agent = agentWith(run.tools?.map(tool => tool.function.name));
  const tools = new SteppedTools(agent.tools, names => agentWith(names).tools, run);
  const model = options.model ?? run.model ?? agent.profile.model;
  const fields = run.caller?.modelFields;
  const parameters = mergeParameters(agent.profile.parameters, run.parameters, fields && { extra: fields });
  return {
    agent: agent.profile.name,
    parameters: isEmpty(parameters) ? undefined : parameters,
    outputSchema: run.outputSchema,
    thinkingLevel: run.thinkingLevel,
    locale,
    systemMessage: promptOf(agent, run, options),
    history: [...history],
    turnStart,
    summary: run.summary && toHistorySummary(run.summary.text, run.summary.upTo, locale),
    handsQuestionsBack: run.caller && true,
    isGiven: run.caller && true,
    readImage: createImageReader(deps.store, caller.tenantId, run.id),
    tools,
    toolContext: {
      tenantId: caller.tenantId,
      runId: run.id,
      locale,
      ...toolPorts(deps, { tenantId: caller.tenantId }),
      todos: new TodoStore([]),
    },
    limits: {
      ...limits,
      contextTokens: models.contextTokensOf(model),
      maxToolIterations: run.limits.maxToolIterations ?? agent.profile.maxToolIterations ?? limits.maxToolIterations,
    },
    signal: caller.signal,
    journal,
    usage: { inputTokens: 0, outputTokens: 0 },
    spending: new RunSpending({ budget: run.limits }),
    clock,
    ids,
    // Called before each model call.
    takeSteeringMessages: async () => (answers[tools.nextStep()]?.steering ?? []).map(toUserMessage),
  };
}

/** Returns a function that gives the agent as it is today, with the named tools as far as they exist. Without names: with all tools. */
function agentsOf(
  { agents }: ReplayAssemblyDeps,
  run: RecordedRun,
  { tenantId, name }: { tenantId: string; name: string | undefined },
): (names: readonly string[] | undefined) => AssembledAgent {
  const { locale, interaction, limits, isMember } = run;
  const parent = isMember && { runId: '', sessionId: '', toolCallId: '', index: 0 };
  const base = agents.agentFor({ agent: name ?? run.agent, locale, tenantId, interaction, limits, parent });
  const all = [...(base.candidates?.byName.keys() ?? [])];
  return (names = all) => agents.agentForCaller(agents.agentWith(base, names, locale), base, run);
}

/** The rest of the prompt, such as the memories and the time of the session, is as it was recorded. */
function promptOf({ stablePrompt }: AssembledAgent, { prompt }: RecordedRun, { prompt: given }: ReplayOptions): SystemMessage {
  return { role: 'system', content: given ?? stablePrompt + (prompt?.rest ?? '') };
}

const toUserMessage = (sent: string | UserMessage): UserMessage => (typeof sent === 'string' ? { role: 'user', content: sent } : sent);
