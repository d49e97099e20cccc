/** A turn at a door that sends the events of the run log. */
import type { RunEvent } from '../../../src/port/run_event';
import type { LogRow, SendOptions, Turn } from './door';

export interface Answers {
  answer(requestId: string, text: string): Promise<unknown>;
  decide(requestId: string, decision: 'allow_once' | 'deny'): Promise<unknown>;
}

export class EventTurn {
  private text = '';
  private seq = 0;
  private runId = '';
  private sessionId = '';
  private readonly ending = Promise.withResolvers<Turn>();

  constructor(
    private readonly message: string,
    private readonly options: SendOptions = {},
    private readonly answers?: Answers,
  ) {
    // A caller that left does not wait for the end.
    this.ending.promise.catch(() => {});
    options.leave?.addEventListener('abort', () => this.ending.resolve(this.soFar()));
  }

  /** Goes on behind a break. */
  static after({ message, text, id, conversation, cursor }: Turn): EventTurn {
    const turn = new EventTurn(message);
    Object.assign(turn, { text, runId: id, sessionId: conversation, seq: Number(cursor) });
    return turn;
  }

  /** Resolves with the turn, and rejects when the run has failed. */
  get end(): Promise<Turn> {
    return this.ending.promise;
  }

  soFar(): Turn {
    return { message: this.message, text: this.text, id: this.runId, conversation: this.sessionId, cursor: String(this.seq) };
  }

  readonly take = (event: RunEvent): void => {
    // After a break nothing counts any more.
    if (this.options.leave?.aborted) return;
    this.runId = event.runId;
    this.sessionId = event.sessionId;
    this.seq = event.seq ?? this.seq;
    const { onText, onStep, onQuestion, onApproval } = this.options;
    if (event.type === 'text_delta') {
      this.text += event.data.text;
      onText?.(this.text);
    }
    if (event.type === 'tool_call_start') onStep?.();
    if (event.type === 'clarify_request' && onQuestion) void this.answers?.answer(event.data.requestId, onQuestion(event.data.question));
    if (event.type === 'approval_request' && onApproval) {
      const decision = onApproval(JSON.stringify(event.data.args)) === 'allow' ? 'allow_once' : 'deny';
      void this.answers?.decide(event.data.requestId, decision);
    }
    if (event.type === 'run_end') this.finish(event);
  };

  private finish({ data }: Extract<RunEvent, { type: 'run_end' }>): void {
    const { status, reason, text, error } = data;
    if (status === 'failed') this.ending.reject({ status, code: error?.code });
    // The text of the end has what no delta has: a question, and the answer that a budget has cut.
    else this.ending.resolve({ ...this.soFar(), text: this.text.endsWith(text) ? this.text : text, end: { status, reason } });
  }
}

export const toLog = (events: readonly RunEvent[]): LogRow[] => events.map(event => ({ cursor: String(event.seq), content: event }));
