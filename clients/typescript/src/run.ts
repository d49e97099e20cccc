/** One run: its events, its result, and what can be done with it. */
import { readRunEvents } from './event_stream';
import type { Http } from './http';
import type { RunEvent, RunResult } from './types';

export class Run implements AsyncIterable<RunEvent> {
  constructor(
    private readonly http: Http,
    readonly id: string,
  ) {}

  /** Yields each event once and in order, over broken connections and restarts of the gateway, until `run_end`. `after`: the last `seq` seen. */
  events({ after = 0, signal }: { after?: number; signal?: AbortSignal } = {}): AsyncGenerator<RunEvent> {
    return readRunEvents(this.http, this.id, after, signal);
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    return this.events();
  }

  /** Reads the result so far; it is final when `status` is completed, incomplete, failed or cancelled. */
  async result(): Promise<RunResult> {
    return (await this.http.send({ method: 'get', path: this.path() })).json() as Promise<RunResult>;
  }

  /** Resolves when the run has ended. */
  async cancel(): Promise<void> {
    await this.http.send({ method: 'post', path: this.path('/cancel') });
  }

  /** Gives the agent a message in the middle of its work. */
  async steer(text: string): Promise<void> {
    await this.http.send({ method: 'post', path: this.path('/steer'), body: { text } });
  }

  private path(rest = ''): string {
    return `/api/v1/runs/${encodeURIComponent(this.id)}${rest}`;
  }
}
