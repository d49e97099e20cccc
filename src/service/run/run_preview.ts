/** Explains what a run would send to the model: its tools and why, its prompt, and an estimate of its tokens. Runs nothing and stores nothing. */

import type { Clock } from '../../port/clock';
import { toFileReference, toReference } from '../../port/image_input';
import type { ChatMessage } from '../../port/llm';
import type { ModelParameters } from '../../port/model_parameters';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import { isSummarised } from '../../port/store/summaries';
import type { TokenCounter } from '../../port/token_counter';
import { TokenMeter } from '../../runtime/compaction/token_meter';
import { estimateMessages, estimateTools, fitHistory, historyBudget } from '../../runtime/fit_history';
import { toModelMessages } from '../../runtime/model_messages';
import type { Slot } from '../../utils/slot';
import { type AgentDirectory, type AssembledAgent, hasMemory } from '../agent/agent_directory';
import type { RunToolChoice, ToolChoice, ToolReason } from '../agent/tool_choice';
import type { VisibleAgents } from '../agent/visible_agents';
import { estimateRun, isSimilarTo, type RunEstimate } from '../limits/run_estimate';
import type { ModelCatalog } from '../model/model_catalog';
import { isEmpty, mergeParameters } from '../model/model_parameters';
import type { ModelRouter } from '../model/model_router';
import { noSession } from '../session/session_service';
import { withInstructions } from './chat_settings';
import type { RunMemory } from './run_memory';
import type { RunPreparation } from './run_preparation';
import type { StartRequest } from './start_request';

export interface RunPreviewDeps {
  store: Store;
  clock: Clock;
  models: ModelCatalog;
  agents: AgentDirectory;
  visibleAgents: Pick<VisibleAgents, 'assertAgentExists'>;
  toolChoice: Slot<RunToolChoice>;
  preparation: RunPreparation;
  memory: Slot<RunMemory>;
  tokenCounter: TokenCounter;
  llm: Pick<ModelRouter, 'countTokens'>;
  defaultLocale: Locale;
}

export interface PreviewedTool {
  name: string;
  why: ToolReason;
  /** Fit for this message, from 0 to 1; the best tool has 1. Absent where no tools were ranked. */
  score?: number;
}

export interface RunPreview {
  agent: string;
  model: string;
  /** Parameters of the model, the profile, the session and the request, as they go to the model; absent when there are none. */
  parameters?: ModelParameters;
  /** How tools were ranked; absent when all of them fit. */
  ranking?: 'words' | 'words_and_meaning';
  /** In the order in which the model gets them. */
  tools: PreviewedTool[];
  /** Tools that the agent may have and that are not sent to the model, best first. */
  leftOut: string[];
  prompt: string;
  /** Estimated tokens of prompt, tools and messages together. */
  estimatedTokens: number;
  /** Absent when too few similar runs are known. */
  estimate?: Omit<RunEstimate, 'tokens'>;
}

export type PreviewRequest = Pick<
  StartRequest,
  | 'tenantId'
  | 'keyName'
  | 'text'
  | 'images'
  | 'files'
  | 'given'
  | 'caller'
  | 'sessionId'
  | 'agent'
  | 'model'
  | 'parameters'
  | 'locale'
  | 'interaction'
  | 'limits'
  | 'outputSchema'
> & {
  /** Messages of later runs than this ordinal are left out. */
  through?: number;
};

export class RunPreviewService {
  constructor(private readonly deps: RunPreviewDeps) {}

  /** Explains a run. Rejects `not_found` for a session or an agent that the caller does not see, and `store_unavailable`. */
  async previewRun(request: PreviewRequest): Promise<RunPreview> {
    const { models, store } = this.deps;
    const { agent, assembled, choice, parameters, model, systemMessage, time } = await this.assemble(request);
    const otherTokens = estimateMessages([systemMessage]) + estimateTools(agent.tools.wireTools);
    const similar = isSimilarTo({ agent: agent.profile.name, model, agentModel: agent.profile.model });
    const { tokens: _, ...estimate } = (await estimateRun(store.lists, request.tenantId, similar)) ?? {};
    return {
      estimate: isKnown(estimate) ? estimate : undefined,
      agent: agent.profile.name,
      model: models.shownName(model),
      parameters: isEmpty(parameters) ? undefined : parameters,
      ranking: choice.ranking,
      tools: agent.tools.names.map(name => explain(name, { assembled, choice })),
      leftOut: leftOutOf(agent, choice),
      prompt: systemMessage.content,
      estimatedTokens: otherTokens + estimateMessages(await this.fittingMessages(request, { time, otherTokens, model })),
    };
  }

  /**
   * Counts the tokens of the first model call of a run: as the server of the model counts them, otherwise with the tokenizer. Rejects as previewRun
   * does, and with the reason of `signal`.
   */
  async countTokens(request: PreviewRequest, signal: AbortSignal): Promise<number> {
    const { models, tokenCounter } = this.deps;
    const { agent, model, systemMessage, time, parameters, outputSchema, locale } = await this.assemble(request);
    const { wireTools: tools } = agent.tools;
    const otherTokens = estimateMessages([systemMessage]) + estimateTools(tools);
    const messages = await this.fittingMessages(request, { time, otherTokens, model });
    const counted = await this.deps.llm.countTokens({
      model,
      messages: [systemMessage, ...toModelMessages(messages, request.given ? undefined : locale)],
      tools,
      thinkingLevel: request.caller?.thinkingLevel ?? 'off',
      parameters: isEmpty(parameters) ? undefined : parameters,
      outputSchema,
      readImage: id => this.readImage(request, id),
      signal,
    });
    if (counted !== undefined) return counted;
    const meter = new TokenMeter((texts, given) => tokenCounter.countTokens(model ?? models.info.model, texts, given));
    return Math.round(await meter.countTokens({ head: [systemMessage], messages, tools }, signal));
  }

  /** Reads an image of the request, or one of the session. */
  private async readImage({ tenantId, sessionId, images = [], files = [] }: PreviewRequest, id: string): Promise<Uint8Array | undefined> {
    const own = [...images, ...files].find(input => input.id === id);
    if (own || sessionId === undefined) return own?.bytes;
    return (await this.deps.store.read.images.get(tenantId, sessionId, id))?.bytes;
  }

  /** Assembles what the first model call has beside its messages. */
  private async assemble(request: PreviewRequest) {
    const { agents, models, toolChoice, clock, store } = this.deps;
    const run = await this.runOf(request);
    const assembled = agents.agentFor(run);
    await this.deps.preparation.prepareRequest(request);
    const choice = await toolChoice.current.choose(store.read, run, assembled);
    const agent = agents.agentForCaller(agents.agentWith(assembled, choice.names, run.locale), assembled, run);
    const model = run.model ?? agent.profile.model;
    const parameters = mergeParameters(models.parametersOf(model), agent.profile.parameters, run.parameters);
    const { label = '', description = '' } = agent.profile;
    const memories = hasMemory(agent) ? await this.deps.memory.current.previewBlock(run, `${label} ${description}`) : undefined;
    const now = clock.now();
    const { sessionStart = now } = run;
    const prompt = agents.systemMessageFor(agent, run.locale, sessionStart, memories);
    const systemMessage = withInstructions(prompt, run, run);
    const time = agents.sentTime(run.locale, now, sessionStart);
    return { agent, assembled, choice, parameters, model, systemMessage, time, outputSchema: run.outputSchema, locale: run.locale };
  }

  private async runOf({ tenantId, keyName, text, sessionId, ...request }: PreviewRequest) {
    const { store, agents, visibleAgents, models, defaultLocale } = this.deps;
    if (request.agent !== undefined) visibleAgents.assertAgentExists(request.agent, { tenantId, keyName });
    if (request.model !== undefined) models.assertModelExists(request.model);
    if (request.limits?.tools) agents.assertToolsExist(request.limits.tools);
    const session = sessionId === undefined ? undefined : await store.read.sessions.get(tenantId, sessionId);
    if (sessionId !== undefined && !session) throw noSession();
    const {
      agent = session?.agent ?? 'default',
      locale = session?.locale ?? defaultLocale,
      interaction,
      limits = {},
      caller,
      outputSchema,
    } = request;
    const { model = session?.model } = request;
    const parameters = mergeParameters(session?.parameters, request.parameters);
    const chosen = { sessionId, model, caller, outputSchema, instructions: session?.instructions };
    return { tenantId, keyName, input: text, agent, locale, interaction, limits, parameters, sessionStart: session?.createdAt, ...chosen };
  }

  /** The messages of the history that fit, and the new one. Messages that a program gives count as a whole. */
  private async fittingMessages(
    { tenantId, sessionId, through = Number.POSITIVE_INFINITY, text, images, files, given }: PreviewRequest,
    { time, otherTokens, model }: { time: string | undefined; otherTokens: number; model: string | undefined },
  ): Promise<readonly ChatMessage[]> {
    const { store, models } = this.deps;
    const [rows, summary] =
      sessionId === undefined
        ? [[], undefined]
        : await Promise.all([store.read.messages.history(tenantId, sessionId), store.read.summaries.get(tenantId, sessionId)]);
    const earlier = rows.filter(row => row.runOrdinal <= through && (!summary || !isSummarised(row, summary))).map(row => row.message);
    const opening = summary ? [{ role: 'user' as const, content: summary.text }] : [];
    if (given) return [...opening, ...earlier, ...given.earlier, ...given.turn];
    const attached = { images: images?.map(toReference), files: files?.map(toFileReference) };
    const all = [...opening, ...earlier, { role: 'user' as const, content: text, time, ...attached }];
    return fitHistory(all, historyBudget(models.contextTokensOf(model), otherTokens)).messages;
  }
}

const isKnown = (estimate: Partial<RunEstimate>): estimate is Omit<RunEstimate, 'tokens'> => estimate.basedOn !== undefined;

function explain(name: string, { assembled, choice }: { assembled: AssembledAgent; choice: ToolChoice }): PreviewedTool {
  const score = choice.ranked.find(tool => tool.name === name)?.score;
  return { name, why: whyOf(name, assembled, choice), score };
}

function whyOf(name: string, { tools, profileTools }: AssembledAgent, { hints }: ToolChoice): ToolReason {
  if (tools.byName.get(name)?.always) return 'always';
  if (profileTools.has(name)) return 'toolset';
  return hints.includes(name) ? 'skill_hint' : 'relevance';
}

function leftOutOf({ candidates, tools }: AssembledAgent, { ranked }: ToolChoice): string[] {
  const names = new Set([...ranked.map(({ name }) => name), ...(candidates?.byName.keys() ?? [])]);
  return [...names].filter(name => !tools.byName.has(name));
}
