/** Programs that call REST: one waits for the result, one streams the events. Both repeat with their Idempotency-Key until an answer comes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunEvent } from '../../src/port/run_event';
import { newRecord, type SentMessage, takeEvent, viewOf, type WireMessage } from './client_record';

const RETRY_MS = 60;

export class RestCaller {
  readonly record;
  private isClosed = false;
  private count = 0;

  constructor(
    private readonly url: string,
    readonly name: string,
  ) {
    this.record = newRecord(name);
  }

  /** Sends POST /runs twice at once and waits for the result. */
  async run(text: string, body: Record<string, unknown> = {}): Promise<void> {
    const sent: SentMessage = { text };
    this.record.sent.push(sent);
    const key = `${this.name}-${this.count++}`;
    const tries = [1, 2].map(() => this.until(() => this.post({ input: text, ...body }, { 'idempotency-key': key })));
    const answers = await Promise.all(tries.map(async answer => (await (await answer).json()) as { runId: string; sessionId: string }));
    const runIds = new Set(answers.map(answer => answer.runId));
    if (runIds.size !== 1) this.record.complaints.push({ kind: 'duplicate_run', detail: `${this.name}: ${[...runIds].join(', ')}` });
    const [answer] = answers;
    if (answer) sent.ack = { runId: answer.runId, sessionId: answer.sessionId };
  }

  /**
   * Sends POST /runs and reads server-sent events. After a break it continues with Last-Event-ID; at every second break it reads JSON pages
   * first. Resolves when the run has ended.
   */
  async stream(text: string): Promise<void> {
    const sent: SentMessage = { text };
    this.record.sent.push(sent);
    const key = `${this.name}-${this.count++}`;
    const start = () => this.post({ input: text }, { 'idempotency-key': key, accept: 'text/event-stream' });
    let runId: string | undefined;
    let breaks = 0;
    while (!this.isClosed && !(runId !== undefined && viewOf(this.record, runId).isOver)) {
      const known = runId;
      if (known !== undefined && ++breaks % 2 === 1) {
        await this.readPages(known);
        if (viewOf(this.record, known).isOver) break;
      }
      const seq = known === undefined ? 0 : viewOf(this.record, known).lastSeq;
      const headers = { accept: 'text/event-stream', 'last-event-id': String(seq) };
      const response = await this.until(() =>
        known === undefined ? start() : fetch(`${this.url}/api/v1/runs/${known}/events`, { headers }),
      );
      await this.readEvents(response, event => {
        runId = event.runId;
        if ('sessionId' in event) sent.ack ??= { runId, sessionId: event.sessionId };
      });
    }
  }

  /** Continues in pages from the number of the last event. After 410 it forgets the run and reads it from the start. */
  private async readPages(runId: string): Promise<void> {
    const view = viewOf(this.record, runId);
    let next: string | undefined = String(view.lastSeq);
    while (next !== undefined && !this.isClosed) {
      const path: string = `/api/v1/runs/${runId}/events?limit=7&after=${next}`;
      const response = await this.until(() => fetch(this.url + path), 410);
      const { data, nextCursor } = JSON.parse(await response.text()) as { data?: RunEvent[]; nextCursor?: string };
      if (response.status === 410) view.events = [];
      for (const event of data ?? []) takeEvent(this.record, event);
      next = response.status === 410 ? '0' : nextCursor;
    }
  }

  close(): void {
    this.isClosed = true;
  }

  private post(body: Record<string, unknown>, headers: Record<string, string>): Promise<Response> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    return fetch(`${this.url}/api/v1/runs`, init);
  }

  /** Resolves with the first answer 200, or with the other accepted status; repeats the request while the gateway is down or stopping. */
  private async until(ask: () => Promise<Response>, other?: number): Promise<Response> {
    for (;;) {
      if (this.isClosed) throw new Error(`${this.name} left before it was answered`);
      try {
        const response = await ask();
        if (response.ok || response.status === other) return await keepWhole(response);
        const text = await response.text();
        if (response.status !== 503) {
          this.record.complaints.push({ kind: 'bricked', detail: `${this.name}: ${response.status} ${text}` });
          throw new Refused(text);
        }
      } catch (thrown) {
        if (thrown instanceof Refused) throw thrown;
      }
      await delay(RETRY_MS);
    }
  }

  private async readEvents(response: Response, onEvent: (event: RunEvent) => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.take(block, onEvent);
      }
    } catch {
      // The gateway was killed; complete events that arrived before count.
    }
  }

  private take(block: string, onEvent: (event: RunEvent) => void): void {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) return;
    const message = JSON.parse(data) as WireMessage;
    takeEvent(this.record, message);
    onEvent(message as RunEvent);
  }
}

class Refused extends Error {}

/** Rejects a JSON answer that breaks off. Streams are read elsewhere. */
async function keepWhole(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.includes('event-stream')) return response;
  return new Response(await response.text(), { status: response.status, headers: response.headers });
}
