/** REST with fetch: POST /runs as server-sent events, and the same log by its cursors. */
import type { RunEvent } from '../../../src/port/run_event';
import { bearer } from '../key_bench';
import { parseEventStream } from '../rest_client';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';
import { EventTurn, toLog } from './event_turn';

export const REST_DOOR: Door = {
  name: 'REST',
  guide: '../protocol.md#rest',
  forms: {
    stream: 'text',
    resume: 'cursor',
    question: ['asked', 'text'],
    approval: 'asked',
    cancel: 'request',
    budget: 'reason: budget',
    error: 'error.code',
  },
  ends: { completed: { status: 'completed' }, budget: { status: 'incomplete', reason: 'budget' }, cancelled: { status: 'cancelled' } },
  errors: {
    failedRun: { status: 'failed', code: 'model_refused' },
    unknownAgent: { status: 404, code: 'not_found', param: '/agent' },
    wrongKey: { status: 401, code: 'unauthenticated' },
    quota: { status: 429, code: 'quota_exceeded' },
    otherTenant: { status: 404, code: 'not_found' },
  },
  connect: async caller => new RestDoorClient(caller),
};

class RestDoorClient implements DoorClient {
  constructor(private readonly caller: DoorCaller) {}

  async send(input: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation: sessionId, agent, onQuestion, onApproval, cancel, leave } = options;
    const turn = new EventTurn(input, options, {
      answer: (requestId, answer) => this.post(`/clarifications/${requestId}`, { answer }),
      decide: (requestId, decision) => this.post(`/approvals/${requestId}`, { decision }),
    });
    cancel?.addEventListener('abort', () => void this.post(`/runs/${turn.soFar().id}/cancel`, {}));
    const body = { input, sessionId, agent, clarify: onQuestion || onApproval ? 'wait' : undefined };
    const response = await this.fetch('/runs', { method: 'POST', body: JSON.stringify(body), signal: leave ?? null });
    void readEvents(response, turn.take).catch(() => {});
    return turn.end;
  }

  async comeBack(left: Turn): Promise<Turn> {
    const turn = EventTurn.after(left);
    await readEvents(await this.readFrom(left, left.cursor), turn.take);
    return turn.end;
  }

  async readLog(run: Turn, cursor?: string) {
    const response = await this.readFrom(run, cursor);
    // 204 tells an EventSource at the end to stop.
    return response.status === 204 ? [] : toLog(parseEventStream(await response.text()));
  }

  attempts({ id, conversation }: Turn) {
    return [
      () => this.get(`/runs/${id}`),
      () => this.get(`/runs/${id}/events`),
      () => this.get(`/sessions/${conversation}/messages`),
      () => this.post(`/runs/${id}/cancel`, {}),
      () => this.post('/runs', { input: 'let me in', sessionId: conversation }),
    ];
  }

  async close(): Promise<void> {}

  private readFrom({ id }: Turn, cursor?: string): Promise<Response> {
    return this.fetch(`/runs/${id}/events`, { headers: cursor === undefined ? {} : { 'last-event-id': cursor } });
  }

  private get(path: string): Promise<Response> {
    return this.fetch(path, { headers: { accept: 'application/json' } });
  }

  private post(path: string, body: object): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { accept: 'application/json' } });
  }

  /** Throws the error of an answer, with its status. */
  private async fetch(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const all = { accept: 'text/event-stream', 'content-type': 'application/json', ...bearer(this.caller.secret) };
    const response = await fetch(`${this.caller.url}/api/v1${path}`, { ...init, headers: { ...all, ...(headers as object) } });
    if (response.ok) return response;
    const { error } = (await response.json()) as { error: object };
    throw { status: response.status, ...error };
  }
}

/** Gives each event to `take` when it arrives. */
async function readEvents(response: Response, take: (event: RunEvent) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const event of parseEventStream(blocks.map(block => `${block}\n\n`).join(''))) take(event);
  }
}
