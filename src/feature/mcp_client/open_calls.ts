/** The calls that a server works on, and which person its questions concern. */
import type { Clock } from '../../port/clock';
import type { McpCallKey, McpElicitation, McpElicitationAnswer } from '../../port/mcp';
import type { McpCall } from './mcp_call';

/** Milliseconds after a call was cancelled in which its server may still ask a question for it. */
const ABANDONED_MS = 10_000;

export class OpenCalls {
  private readonly calls = new Set<McpCall>();
  /** Calls that ended without an answer of the server -> when they are forgotten. */
  private readonly abandoned = new Map<McpCall, number>();

  constructor(private readonly clock: Clock) {}

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  add(call: McpCall): void {
    this.calls.add(call);
  }

  remove(call: McpCall): void {
    this.calls.delete(call);
    this.forgetOld();
    if (call.isAbandoned) this.abandoned.set(call, this.clock.monotonic() + ABANDONED_MS);
  }

  /** A new connection knows nothing of earlier calls. */
  forgetAbandoned(): void {
    this.abandoned.clear();
  }

  /** The server works on a cancelled call no more. */
  noteAnswered(key: McpCallKey): void {
    for (const call of this.abandoned.keys()) if (call === key) this.abandoned.delete(call);
  }

  /**
   * Answers a question of the server. A question that names no call may come from any open call, so when calls of several sessions are open, no
   * person is asked.
   */
  async answer(question: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer> {
    if (question.call) return this.answerFor(question.call, question, signal);
    this.forgetOld();
    const [call, ...others] = [...this.calls, ...this.abandoned.keys()];
    const isClear = call && others.every(({ ctx }) => ctx.sessionId !== undefined && ctx.sessionId === call.ctx.sessionId);
    if (isClear) return this.answerFor(call, question, signal);
    for (const open of this.calls) open.noteUnclearQuestion();
    return { action: 'decline' };
  }

  private forgetOld(): void {
    const now = this.clock.monotonic();
    for (const [call, until] of this.abandoned) if (until <= now) this.abandoned.delete(call);
  }

  private async answerFor(key: McpCallKey, question: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer> {
    const call = [...this.calls].find(open => open === key);
    return call ? call.answerElicitation(question, signal) : { action: 'decline' };
  }
}
