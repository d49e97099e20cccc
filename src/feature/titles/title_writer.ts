/** Asks the model for the title of a chat when its first answer is stored, and stores the title unless a person has given another one. */
import type { Clock } from '../../port/clock';
import type { LlmAnswer, LlmPort } from '../../port/llm';
import type { LogError } from '../../port/logger';
import type { TerminalStatus } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { SessionRecord } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { DayUsage } from '../../port/store/usage';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import { toCallUsage } from '../../service/limits/call_usage';
import type { DayBudgets } from '../../service/limits/day_budgets';
import type { ModelCatalog } from '../../service/model/model_catalog';
import { toObservedRun } from '../../service/run_log/observed_run';
import { titleFrom } from '../../service/session/session_title';
import type { SessionWatch } from '../../service/session/session_watch';
import { readTitle, titleRequest } from './title_texts';

/** Milliseconds that the model has for a title. */
const TIMEOUT_MS = 60_000;
/** Titles that are written at once. Further chats keep the title from their first message. */
const MOST_AT_ONCE = 8;
/** A title has few tokens, but some models think before they write it. */
const MAX_OUTPUT_TOKENS = 1_000;

export interface TitleWriterDeps {
  store: Store;
  clock: Clock;
  llm: Pick<LlmPort, 'stream'>;
  agents: Pick<AgentDirectory, 'agentFor'>;
  models: Pick<ModelCatalog, 'info' | 'shownName' | 'has'>;
  dayBudgets: Pick<DayBudgets, 'hasLeft'>;
  sessionWatch: Pick<SessionWatch, 'isWatched' | 'noteChange'>;
  onError: LogError;
}

export class TitleWriter {
  /** First runs of chats whose end is being stored, by id. */
  private readonly answered = new Set<string>();
  private readonly stopping = new AbortController();
  private writing = 0;

  constructor(private readonly deps: TitleWriterDeps) {}

  /** Notes the end of a run, when it may be the first answer of a chat of the page. A transaction that is retried notes it again. */
  noteEnd({ id, ordinal, door, parent }: RunRecord, status: TerminalStatus): undefined {
    if (ordinal === 1 && door === 'socketio' && !parent && status === 'completed') this.answered.add(id);
  }

  /**
   * Writes the title of a chat after its first answer, when a page shows the list of chats. Returns at once; a failure is logged, and the chat keeps
   * its title.
   */
  writeTitleOf(run: RunRecord): void {
    const { models, sessionWatch } = this.deps;
    if (!this.answered.delete(run.id) || models.info.demo || this.writing >= MOST_AT_ONCE || !sessionWatch.isWatched(run.tenantId)) return;
    this.writing += 1;
    this.write(run)
      .catch(thrown => {
        if (!this.stopping.signal.aborted)
          this.deps.onError('a chat keeps the title from its first message', thrown, { runId: run.id, sessionId: run.sessionId });
      })
      .finally(() => {
        this.writing -= 1;
      });
  }

  /** Ends the calls under way. */
  stop(): void {
    this.stopping.abort();
  }

  private async write({ tenantId, id }: RunRecord): Promise<void> {
    const { store, dayBudgets, sessionWatch } = this.deps;
    const run = await store.read.runs.get(tenantId, id);
    const session = run && (await store.read.sessions.get(tenantId, run.sessionId));
    if (!run?.outcome || !session || session.temporary || !isFromMessage(session, run)) return;
    if (!(await dayBudgets.hasLeft(run))) return;
    const answer = await this.ask(run, run.outcome.text);
    const title = readTitle(answer.message.content ?? '');
    await this.storeTitle(run, session, answer, title);
    if (title === undefined) throw new Error('The answer of the model holds no title.');
    sessionWatch.noteChange(tenantId);
  }

  private async ask(run: RunRecord, text: string): Promise<LlmAnswer> {
    const { clock, llm } = this.deps;
    const call = new AbortController();
    const cancelTimer = clock.after(TIMEOUT_MS, () => call.abort(new Error(`The model has not answered within ${TIMEOUT_MS} ms.`)));
    try {
      const request = {
        model: this.modelOf(run),
        messages: titleRequest(run.input, text, run.locale),
        tools: [],
        thinkingLevel: 'off' as const,
        isSummary: true as const,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        run: toObservedRun(run),
        signal: AbortSignal.any([this.stopping.signal, call.signal]),
      };
      return await llm.stream(request, { onText() {}, onReasoning() {}, onFallback() {} });
    } finally {
      cancelTimer();
    }
  }

  private modelOf(run: RunRecord): string | undefined {
    const model = run.model ?? this.deps.agents.agentFor(run).profile.model;
    return model !== undefined && this.deps.models.has(model) ? model : undefined;
  }

  /** Counts the call in the usage of the day, and stores the title in all branches of the chat unless a person has given one since. */
  private async storeTitle(run: RunRecord, { rootSessionId }: SessionRecord, answer: LlmAnswer, title: string | undefined): Promise<void> {
    const { tenantId, sessionId } = run;
    await this.deps.store.transaction({ session: { tenantId, sessionId: rootSessionId ?? sessionId } }, async tx => {
      await tx.usage.addCall(this.usageOf(run, answer));
      const session = await tx.sessions.get(tenantId, sessionId);
      if (title === undefined || !session || !isFromMessage(session, run)) return;
      await tx.sessions.update(tenantId, sessionId, { title });
      if (session.rootSessionId) await tx.sessionBranches.changeChat(tenantId, session.rootSessionId, { title });
    });
  }

  private usageOf(run: RunRecord, { usage, answeredBy }: LlmAnswer): DayUsage {
    const { clock, models } = this.deps;
    const model = answeredBy ?? models.shownName(this.modelOf(run));
    return toCallUsage({ actor: run, at: clock.now(), model, agent: run.agent, usage, mayBeUnpriced: !isUnpriced(run) });
  }
}

/** True while the chat has the title that its first message gave it. */
const isFromMessage = ({ title }: SessionRecord, { input }: RunRecord): boolean => title === titleFrom(input);

/** True when the run itself counts as a run with calls whose price is unknown. */
const isUnpriced = ({ outcome }: RunRecord): boolean => outcome?.usage.costUsd === undefined;
