/** One session of an editor: its prompts, each of which starts a run or answers the question of one. */
import type { ContentBlock, PromptResponse } from '@agentclientprotocol/sdk';
import { NetaError } from '../../../clients/typescript/src/http';
import type { Run } from '../../../clients/typescript/src/run';
import type { ClarifyRequest, RunEvent, RunResult } from '../../../clients/typescript/src/types';
import type { Bilingual } from '../../utils/bilingual';
import { explain } from './acp_errors';
import { acpSdk } from './acp_sdk';
import { type AskedSession, askInForm, askPermission } from './person_requests';
import { type PromptInput, readPrompt } from './prompt_input';
import { RunUpdates } from './run_updates';
import { EarlierEvents, findUnfinishedRun, type UnfinishedRun } from './unfinished_run';

/** A run that waits for the answer to a question, which the next prompt gives. */
interface OpenQuestion {
  question: ClarifyRequest;
  turn: Turn;
}

interface Turn {
  run: Run;
  updates: RunUpdates;
  /** Seq of the last event that the editor has. */
  seq: number;
  /** The events from before the editor opened the session. */
  earlier?: EarlierEvents;
  /** Seq of the last event that the editor is not shown. Absent: it is shown all. */
  hiddenUpTo?: number;
}

/** The prompt that goes on; `run` once it is started. */
interface ActivePrompt {
  run?: Run;
  isCancelled: boolean;
}

const STOPPED_EARLY: Bilingual = { en: 'The run ended early', 'zh-CN': '运行提前结束' };

export class AcpSession {
  /** Name of the agent; undefined: that of the session. */
  agent?: string;
  /** Id of the model; undefined: that of the session or of the agent. */
  model?: string;
  private open?: OpenQuestion;
  private active?: ActivePrompt;
  /** The run that went on while no editor was there. */
  private leftRun?: Run;
  /** Requests to the person that have no answer yet, by their id at the gateway. */
  private readonly asking = new Map<string, AbortController>();

  constructor(private readonly asked: AskedSession) {}

  /** Resolves when the run has ended or asks a question. Rejects with an error of the protocol, or of the gateway. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    if (this.active) throw acpSdk().RequestError.invalidRequest(undefined, 'A prompt of this session goes on. Cancel it first.');
    const active: ActivePrompt = { isCancelled: false };
    this.active = active;
    try {
      const turn = await this.openTurn(blocks);
      active.run = turn.run;
      if (active.isCancelled) await turn.run.cancel();
      return await this.follow(turn);
    } finally {
      this.active = undefined;
      for (const asking of this.asking.values()) asking.abort();
      this.asking.clear();
    }
  }

  /** Finds the run that the session was executing when its editor left; undefined also while the editor follows a run of the session. */
  async findLeftRun(): Promise<UnfinishedRun | undefined> {
    if (this.active || this.open || this.leftRun) return undefined;
    return findUnfinishedRun(this.asked.client, this.asked.sessionId);
  }

  /** Goes on with a run that was left: shows its events, or only those that follow, and asks again what is open. */
  goOn({ run, lastSeq }: UnfinishedRun, shown: 'all' | 'new'): void {
    const { root, editor } = this.asked;
    if (this.active || this.open || this.leftRun) return;
    this.leftRun = run;
    const hiddenUpTo = shown === 'new' ? lastSeq : undefined;
    const turn: Turn = { run, updates: new RunUpdates(run.id, root), seq: 0, earlier: new EarlierEvents(lastSeq), hiddenUpTo };
    void this.follow(turn)
      .catch(thrown => editor.log(explain(thrown)))
      .finally(() => {
        this.leftRun = undefined;
      });
  }

  /** Cancels the run of the prompt that goes on; `prompt` then resolves. */
  async cancel(): Promise<void> {
    for (const asking of this.asking.values()) asking.abort();
    const { open, leftRun } = this;
    this.open = undefined;
    await (open?.turn.run ?? leftRun)?.cancel();
    if (!this.active) return;
    this.active.isCancelled = true;
    await this.active.run?.cancel();
  }

  private async openTurn(blocks: readonly ContentBlock[]): Promise<Turn> {
    const { client, sessionId, root } = this.asked;
    const input = readPrompt(blocks);
    const { open } = this;
    if (open) {
      const isTaken = await this.answer(open.question, input);
      // Now and not before: the next prompt repeats an answer that has not arrived.
      this.open = undefined;
      if (isTaken) return open.turn;
    }
    const run = await client.startRun({
      input: input.text,
      images: imagesOf(input),
      sessionId,
      agent: this.agent,
      model: this.model,
      clarify: 'wait',
    });
    return { run, updates: new RunUpdates(run.id, root), seq: 0 };
  }

  /** Returns false when the question takes no answer any more. */
  private async answer({ requestId, choices = [] }: ClarifyRequest, input: PromptInput): Promise<boolean> {
    const answer = choices[Number(input.text) - 1] ?? input.text;
    const body = { answer, images: imagesOf(input) };
    try {
      await this.asked.client.request('post', '/api/v1/clarifications/{requestId}', { path: { requestId }, body });
      return true;
    } catch (thrown) {
      if (thrown instanceof NetaError && (thrown.code === 'clarification_closed' || thrown.code === 'not_found')) return false;
      throw thrown;
    }
  }

  private async follow(turn: Turn): Promise<PromptResponse> {
    const { sessionId, editor } = this.asked;
    for await (const event of turn.run.events({ after: turn.seq })) {
      turn.seq = event.seq ?? turn.seq;
      const updates = turn.updates.project(event);
      if (turn.hiddenUpTo === undefined || (event.seq ?? 0) > turn.hiddenUpTo)
        for (const update of updates) await editor.update(sessionId, update);
      for (const asking of turn.earlier?.read(event) ?? [event]) {
        this.handleRequest(asking);
        if (asking.type === 'clarify_request' && !editor.takesForms) return this.leaveQuestion(asking.data, turn);
      }
      if (event.type === 'run_end') return this.end(event.data);
    }
    return this.end(await turn.run.result());
  }

  /** Asks the person without waiting: others may answer first. */
  private handleRequest(event: RunEvent): void {
    const { asked } = this;
    if (event.type === 'approval_request') this.ask(event.data.requestId, signal => askPermission(asked, event.data, signal));
    if (event.type === 'clarify_request' && asked.editor.takesForms)
      this.ask(event.data.requestId, signal => askInForm(asked, event.data, signal));
    if (event.type === 'approval_end' || event.type === 'clarify_end') this.asking.get(event.data.requestId)?.abort();
  }

  private ask(requestId: string, question: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    this.asking.set(requestId, abort);
    void question(abort.signal).finally(() => this.asking.delete(requestId));
  }

  /** Shows the question as text and ends the turn. The run goes on waiting, and the next prompt is the answer. */
  private async leaveQuestion(question: ClarifyRequest, turn: Turn): Promise<PromptResponse> {
    const lines = [question.question, ...(question.choices ?? []).map((choice, i) => `${i + 1}. ${choice}`)];
    await this.say(lines.join('\n'));
    this.open = { question, turn };
    return { stopReason: 'end_turn' };
  }

  private async end({ status, reason, error }: Pick<RunResult, 'status' | 'reason' | 'error'>): Promise<PromptResponse> {
    if (status === 'failed') {
      const { code, message } = error ?? { code: 'internal', message: 'The run failed.' };
      throw new (acpSdk().RequestError)(-32603, message, { code });
    }
    if (status === 'cancelled') return { stopReason: 'cancelled' };
    if (status !== 'incomplete') return { stopReason: 'end_turn' };
    await this.say(`${STOPPED_EARLY[this.asked.language]}: ${error?.message ?? reason}`);
    if (reason === 'content_filter') return { stopReason: 'refusal' };
    return { stopReason: reason === 'output_limit' || reason === 'model_cut' ? 'max_tokens' : 'max_turn_requests' };
  }

  private say(text: string): Promise<void> {
    const { sessionId, editor } = this.asked;
    return editor.update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }
}

const imagesOf = ({ images }: PromptInput): PromptInput['images'] | undefined => (images.length > 0 ? images : undefined);
