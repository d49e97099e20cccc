/** The events of a run as the updates of its task. */
import type { StreamResponse, TaskStatus } from '@a2a-js/sdk';
import { isTerminal, type RunEvent, type RunEventData } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { ReplayReset } from '../../service/run_log/event_sink';
import { answerArtifact, contextOf, type MayDecide, type OpenQuestion, statusOf } from './a2a_task';

export class TaskStream {
  /** The questions that are open, by requestId. */
  private readonly open = new Map<string, OpenQuestion>();
  private sentText = '';
  /** The next text begins another answer. */
  private isNewAnswer = true;
  private ended = false;

  constructor(
    private run: RunRecord,
    private readonly mayDecide: MayDecide,
  ) {}

  /** True once the run has ended. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** True while the run waits for an answer that the caller can give. */
  get isAsking(): boolean {
    return [...this.open.values()].some(({ approval }) => !approval || this.mayDecide(approval));
  }

  project(event: RunEvent | ReplayReset): StreamResponse[] {
    if (this.ended) return [];
    if (event.type === 'replay_reset') {
      this.isNewAnswer = true;
      return event.data.snapshot.events.flatMap(earlier => this.project(earlier));
    }
    switch (event.type) {
      case 'run_start':
        return [this.status({ ...this.run, status: 'running', startedAt: Date.parse(event.ts) })];
      case 'text_delta':
        return this.addText(event.data.text);
      case 'message_end':
        if (event.data.role === 'assistant') this.isNewAnswer = true;
        return [];
      case 'clarify_request':
        return this.ask({ id: event.data.requestId, question: event.data.question, choices: event.data.choices });
      case 'approval_request':
        return this.ask(approvalOf(event.data));
      case 'clarify_end':
      case 'approval_end':
        return this.open.delete(event.data.requestId) ? [this.status()] : [];
      case 'run_end':
        return this.end(event.data, Date.parse(event.ts));
      default:
        return [];
    }
  }

  /** Takes the end of the run from its record, when the log has expired. */
  endWith(run: RunRecord): StreamResponse[] {
    if (this.ended || !isTerminal(run.status)) return [];
    this.run = run;
    this.ended = true;
    this.open.clear();
    return [...this.lastText(run.outcome?.text ?? ''), this.status()];
  }

  private addText(text: string): StreamResponse[] {
    if (text === '') return [];
    const append = !this.isNewAnswer;
    this.sentText = append ? this.sentText + text : text;
    this.isNewAnswer = false;
    return [this.artifact(text, { append, lastChunk: false })];
  }

  /** Ends the answer: with nothing more, or with the whole text when another one was sent. */
  private lastText(text: string): StreamResponse[] {
    if (text === '') return [];
    const isSent = this.sentText === text;
    return [this.artifact(isSent ? '' : text, { append: isSent, lastChunk: true })];
  }

  private artifact(text: string, chunk: { append: boolean; lastChunk: boolean }): StreamResponse {
    const { id: taskId } = this.run;
    const value = { taskId, contextId: contextOf(this.run), artifact: answerArtifact(text), ...chunk, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value } };
  }

  private ask(question: OpenQuestion): StreamResponse[] {
    this.open.set(question.id, question);
    return [this.status()];
  }

  private end({ text, usage, status, reason, error }: RunEventData<'run_end'>, endedAt: number): StreamResponse[] {
    const outcome = { text, usage, reason, error } as RunRecord['outcome'];
    return this.endWith({ ...this.run, status, endedAt, outcome });
  }

  private status(run: RunRecord = this.run): StreamResponse {
    this.run = run;
    const [question] = this.open.values();
    const shown = run.status === 'queued' && question ? { ...run, status: 'running' as const } : run;
    const status: TaskStatus = statusOf(shown, { question, mayDecide: this.mayDecide });
    const value = { taskId: run.id, contextId: contextOf(run), status, metadata: { status: run.status, ...reasonOf(run) } };
    return { payload: { $case: 'statusUpdate', value } };
  }
}

const reasonOf = ({ outcome }: RunRecord): { reason?: string } => (outcome?.reason === undefined ? {} : { reason: outcome.reason });

const approvalOf = ({ requestId, reason, tool, args, notBy }: RunEventData<'approval_request'>): OpenQuestion => ({
  id: requestId,
  question: reason,
  approval: { tool, args, review: notBy && { approvers: 1, notBy } } as NonNullable<OpenQuestion['approval']>,
});
