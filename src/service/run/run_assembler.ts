/** Assembles what the agent loop needs for one run: model, prompt, history, tools, limits, approvals and steering messages. */
import type { IdSource } from '../../port/clock';
import type { LlmPort } from '../../port/llm';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { Redactor } from '../../port/redactor';
import type { MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { SessionOrigin, SessionRecord } from '../../port/store/sessions';
import type { Store, StoreReader } from '../../port/store/store';
import type { TodoListRecord } from '../../port/store/todos';
import type { AgentRunParams } from '../../runtime/agent_run';
import type { ApprovalAsk, ApprovalGate } from '../../runtime/approval/approval_gate';
import { TurnTexts } from '../../runtime/approval/turn_texts';
import type { MemoryBlock } from '../../runtime/prompt_builder';
import { TodoStore } from '../../runtime/todo_store';
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import type { ToolRunContext } from '../../runtime/tool_runner/runner_params';
import type { Slot } from '../../utils/slot';
import { type AgentDirectory, hasMemory } from '../agent/agent_directory';
import type { KeyRing } from '../auth/key_ring';
import type { Switches } from '../limits/switches';
import type { ModelCatalog } from '../model/model_catalog';
import { isEmpty, mergeParameters } from '../model/model_parameters';
import type { ApprovalService } from '../question/approval_service';
import type { Clarifications } from '../question/clarifications';
import { colleaguesIn } from '../question/colleagues';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { toObservedRun } from '../run_log/observed_run';
import type { FileEditingService } from '../tool/file_editing_service';
import type { ResultFiles } from '../tool/result_files';
import { foreignSource, type TaintService } from '../tool/taint_service';
import type { TerminalService } from '../tool/terminal_service';
import type { ToolAccessSources } from '../tool/tool_access';
import { type ToolPorts, toolPorts } from '../tool/tool_ports';
import { temporaryRefusal, withInstructions } from './chat_settings';
import { questionToolOf } from './question_calls';
import { storeResultImages } from './result_images';
import type { RunCompaction } from './run_compaction';
import type { RunCrew } from './run_crew';
import type { RunFiles } from './run_files';
import { foreignIn, historyOf } from './run_history';
import type { RunMemory } from './run_memory';
import type { RunRecorder } from './run_recorder';
import { earlierMessagesOf, knownQuestion, type RunTurn, waitForPerson } from './run_turn';
import type { SteeringService } from './steering_service';

export interface RunAssemblerDeps extends ToolPorts {
  store: Store;
  ids: IdSource;
  llm: LlmPort;
  models: ModelCatalog;
  agents: AgentDirectory;
  crew: Slot<RunCrew>;
  clarifications: Pick<Clarifications, 'askClarification'>;
  keyRing: Pick<KeyRing, 'callersOf'>;
  approvalService: ApprovalService;
  taint: TaintService;
  steering: SteeringService;
  cache: ResultCache;
  retries: { maxTries: number; retryMs: number };
  fileEditing: FileEditingService;
  files: RunFiles;
  toolAccess: ToolAccessSources;
  terminals: TerminalService;
  results: ResultFiles;
  memory: Slot<RunMemory>;
  recorder: Slot<RunRecorder>;
  compaction: RunCompaction;
  observer: Observer;
  redactor: Redactor;
  onError: LogError;
  switches: Pick<Switches, 'toolOffText'>;
  /** Limits for runs that set no limits of their own. */
  limits: Omit<AgentRunParams['limits'], 'contextTokens'>;
}

interface Accepting {
  read: StoreReader;
  session: SessionRecord | undefined;
  plan: Promise<TodoListRecord | undefined>;
}

export class RunAssembler {
  constructor(private readonly deps: RunAssemblerDeps) {}

  /**
   * Assembles the parameters of the loop. Reads the plan and the session unless they are given. `accepting`: the transaction that accepts the run, when
   * the run begins in it; otherwise the reads are repeated while the store is unavailable. Rejects `store_unavailable` with `accepting`.
   */
  async assembleParams(turn: RunTurn, accepting?: Accepting): Promise<AgentRunParams> {
    const { clock, ids, llm, models, agents, cache, retries, results, steering, limits, observer } = this.deps;
    const { run, agent, handle, writer } = turn;
    const { tenantId, sessionId, locale } = run;
    steering.watchRun(run.id, { isNew: accepting !== undefined });
    const giveUp = () => handle.signal.throwIfAborted();
    const [session, plan, memories] = await this.readStored(turn, accepting);
    const history = historyOf(turn);
    const turnTexts = await this.turnTexts(turn, history);
    const model = this.modelOf(turn);
    const { caller } = run;
    const parameters = mergeParameters(agent.profile.parameters, run.parameters, caller?.modelFields && { extra: caller.modelFields });
    return {
      llm,
      model,
      parameters: isEmpty(parameters) ? undefined : parameters,
      thinkingLevel: caller?.thinkingLevel ?? session?.thinkingLevel ?? 'off',
      locale,
      systemMessage: withInstructions(agents.systemMessageFor(agent, locale, session?.createdAt ?? run.createdAt, memories), run, session),
      outputSchema: run.outputSchema,
      history,
      handsQuestionsBack: caller && (caller.showsQuestions ?? questionToolOf(turn) !== undefined),
      isGiven: caller && true,
      opening: turn.opening,
      readImage: async id =>
        (await retryWhileStoreUnavailable(clock, () => this.deps.store.read.images.get(tenantId, sessionId, id), giveUp))?.bytes,
      ...this.deps.compaction.paramsFor(turn, history),
      tools: agent.tools,
      toolContext: this.toolContext(turn, createTodos(turn, plan?.todos), session?.origin),
      limits: {
        ...limits,
        contextTokens: models.contextTokensOf(model),
        maxToolIterations: run.limits.maxToolIterations ?? agent.profile.maxToolIterations ?? limits.maxToolIterations,
      },
      signal: handle.signal,
      journal: writer,
      usage: turn.usage,
      spending: turn.spending,
      clock,
      ids,
      cache,
      retries,
      redactor: this.deps.redactor,
      spill: (toolCallId, text) => results.saveResult(run, toolCallId, text),
      storeImages: images => storeResultImages(turn, images, this.deps),
      resumed: turn.resumed,
      observation: { observer, run: toObservedRun(run) },
      toolOff: (name, args) =>
        temporaryRefusal(session, { tool: agent.tools.byName.get(name), args }, locale) ??
        this.deps.switches.toolOffText(tenantId, name, locale),
      onAnswer: (request, answer) => this.deps.recorder.current.noteAnswer(run, request, answer, agent.candidates !== undefined),
      onCallStart: (toolCallId, stop) => handle.addToolCall(toolCallId, stop),
      approval: this.approvalGate(turn, history, turnTexts),
      assureLease: () => handle.assureLease(),
      prepareFiles: this.deps.files.preparationOf(run, writer),
      takeSteeringMessages: async () => {
        const messages = await steering.takeMessages(run, writer, giveUp);
        for (const { content } of messages) turnTexts?.addPersonText(content);
        return messages;
      },
    };
  }

  private readStored(turn: RunTurn, accepting?: Accepting) {
    const { store, clock } = this.deps;
    const { run, handle } = turn;
    const read = accepting?.read ?? store.read;
    const retry = <T>(work: () => Promise<T>) => retryWhileStoreUnavailable(clock, work, () => handle.signal.throwIfAborted());
    // A transaction that failed cannot be read again.
    const attempt = accepting ? <T>(work: () => Promise<T>) => work() : retry;
    return Promise.all([
      accepting?.session ?? attempt(() => read.sessions.get(run.tenantId, run.sessionId)),
      accepting ? accepting.plan : attempt(() => read.todos.get(run.tenantId, run.sessionId)),
      attempt(() => this.memoryBlock(turn)),
    ]);
  }

  /**
   * A resumed run may have begun with a model that the operator has removed since: then the default model continues the run. Profiles may name models
   * that only the server knows, and crew members inherit such names.
   */
  private modelOf({ model, agent, run }: RunTurn): string | undefined {
    if (model === undefined || model === agent.profile.model || run.parent) return model;
    return this.deps.models.has(model) ? model : undefined;
  }

  /** Agents without memory have no memory block and execute no statement for it. */
  private async memoryBlock({ run, agent, writer, messages, summary }: RunTurn): Promise<MemoryBlock | undefined> {
    if (!hasMemory(agent)) return undefined;
    const { label = '', description = '' } = agent.profile;
    // A run that was cancelled before its start has no messages, so a run with a later ordinal may still be the first run of the session.
    const isFirst = run.ordinal === 1 || (!summary && messages.every(({ runOrdinal }) => runOrdinal === run.ordinal));
    return this.deps.memory.current.blockFor(run, { agentText: `${label} ${description}`, isFirst }, (...extra) =>
      writer.writeWithNext(...extra),
    );
  }

  /** Returns the texts that the turn has read; absent for an agent that cannot keep a text. */
  private async turnTexts(turn: RunTurn, history: AgentRunParams['history']): Promise<TurnTexts | undefined> {
    const { run, agent, messages, resumed, handle } = turn;
    if (!hasMemory(agent)) return undefined;
    const foreign = foreignIn(messages, run);
    const texts = new TurnTexts(
      await this.deps.taint.personTextsFor(run, agent, history, () => handle.signal.throwIfAborted()),
      run.parent ? [] : [foreign?.ownText ?? run.input],
    );
    // Strangers wrote parts of a message from outside.
    if (foreign) texts.addSource(foreignSource(foreign), run.input);
    // The task of a crew member is text of a model, which may have copied it from a page or file that its master read.
    if (run.parent) texts.addResult({ id: run.parent.toolCallId, tool: { name: 'delegate_task' }, args: {} }, run.input);
    // The summary is text of a model, too, and may repeat what pages and files said.
    if (turn.summary) texts.addResult({ id: 'summary', tool: { name: 'conversation_summary' }, args: {} }, turn.summary.text);
    const own = resumed || run.caller ? messages.filter(row => row.runOrdinal === run.ordinal) : [];
    if (run.caller) addCallerResults(texts, own);
    texts.addMessages(
      own.map(row => row.message),
      agent.tools.byName,
    );
    return texts;
  }

  private approvalGate(turn: RunTurn, history: AgentRunParams['history'], turnTexts: TurnTexts | undefined): ApprovalGate {
    const { approvalService, taint } = this.deps;
    const { run, agent, handle, writer } = turn;
    const readEarlier = earlierMessagesOf(turn, this.deps);
    return {
      policy: approvalService.policyOf(run.tenantId),
      ask: (question: ApprovalAsk) =>
        waitForPerson(turn, () => approvalService.askApproval(run, writer, question, turn.approvals.get(question.toolCallId))),
      turnTexts,
      readRemoved: turnTexts && ((id: string) => taint.memoryText(run, id, () => handle.signal.throwIfAborted())),
      readTaint: async () => {
        // Storing first, because the check reads the calls of this run from the store.
        await writer.storeAppended();
        // Messages of the person before the summary still count as permissions; the summary itself allows nothing.
        return taint.taintFor(run, agent, [...(await readEarlier()), ...history], () => handle.signal.throwIfAborted());
      },
      findEarlierDenial: toolCallId => approvalService.storedDenial(turn.approvals.get(toolCallId)),
    };
  }

  private toolContext(turn: RunTurn, todos: TodoStore, origin: SessionOrigin | undefined): ToolRunContext {
    const { terminals, fileEditing, toolAccess } = this.deps;
    const { run, writer } = turn;
    const crew = this.deps.crew.current.accessFor(turn);
    const { tenantId, sessionId, id: runId, locale, keyName, trace } = run;
    const shared = {
      tenantId,
      sessionId,
      runId,
      locale,
      trace,
      ...toolPorts(this.deps, { tenantId, keyName, sessionId }),
      todos,
      terminal: terminals.terminalFor(tenantId, sessionId),
      ...fileEditing.contextOf({ tenantId, sessionId, runId }),
      ...toolAccess.accessFor({
        tenantId,
        keyName,
        through: throughOf(run, origin),
        trace,
        locale,
        run: { sessionId, runId, tools: run.limits.tools },
      }),
      crew,
      colleagues: colleaguesIn(this.deps.keyRing, tenantId),
    };
    if (run.interaction.clarify !== 'wait') return shared;
    return {
      ...shared,
      askPerson: question =>
        waitForPerson(turn, () =>
          this.deps.clarifications.askClarification(run, writer, question, knownQuestion(turn, question.toolCallId)),
        ),
    };
  }
}

/** Names the actor behind changes that tools make: the agent, or the job or hook that started it, for the key of the run. */
function throughOf({ door, agent }: RunRecord, origin: SessionOrigin | undefined): string {
  if (door === 'job' && origin && 'jobId' in origin) return `job:${origin.jobId}`;
  return door === 'hook' && origin && 'hookId' in origin ? `hook:${origin.hookId}` : `agent:${agent}`;
}

/** Results of a caller's own tools come from a program, not from the person. They stand before the first answer of the run. */
function addCallerResults(texts: TurnTexts, rows: readonly MessageRecord[]): void {
  for (const { message } of rows) {
    if (message.role === 'assistant') return;
    if (message.role === 'tool') texts.addResult({ id: message.tool_call_id, tool: { name: 'caller' }, args: {} }, message.content);
  }
}

function createTodos({ writer }: RunTurn, todos: ConstructorParameters<typeof TodoStore>[0] = []): TodoStore {
  return new TodoStore(todos, (items, summary) => {
    // Appended, not recorded: the end of the tool call is stored behind this event, and the model gets the result of the call only then.
    writer.append({ type: 'todo_update', data: { todos: items, summary } });
  });
}
