/** Durable Streams with the official client: a door that only reads. REST starts the runs, and REST is where people answer and cancel. */
import { stream } from '@durable-streams/client';
import type { RunEvent } from '../../../src/port/run_event';
import { bearer } from '../key_bench';
import type { Door, DoorCaller, DoorClient, LogRow, SendOptions, Turn } from './door';
import { EventTurn } from './event_turn';
import { REST_DOOR } from './rest';

export const DURABLE_STREAMS_DOOR: Door = {
  name: 'Durable Streams',
  guide: 'durable-streams.md',
  forms: {
    stream: 'text',
    resume: 'cursor',
    question: ['elsewhere'],
    approval: 'elsewhere',
    cancel: 'elsewhere',
    budget: 'run_end.reason: budget',
    error: 'error.code',
  },
  ends: REST_DOOR.ends,
  errors: {
    ...REST_DOOR.errors,
    otherTenant: { name: 'FetchError', status: 404 },
  },
  connect: async caller => new StreamDoorClient(caller),
};

class StreamDoorClient implements DoorClient {
  constructor(private readonly caller: DoorCaller) {}

  async send(input: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation: sessionId, agent, leave } = options;
    const { rest, secret } = this.caller;
    const body = { input, sessionId, agent, clarify: 'wait' };
    const headers = { ...bearer(secret), prefer: 'respond-async' };
    const { status, body: started } = await rest.request<{ runId: string; error: object }>('POST', '/runs', body, headers);
    if (status >= 400) throw { status, ...started.error };
    const turn = new EventTurn(input, options);
    // A reader that breaks off may end before `turn.end` does.
    void this.read(started.runId, '-1', row => turn.take(row.content as RunEvent), leave).catch(() => {});
    return turn.end;
  }

  async comeBack(left: Turn): Promise<Turn> {
    const turn = EventTurn.after(left);
    await this.read(left.id, offsetOf(left.cursor), row => turn.take(row.content as RunEvent));
    return turn.end;
  }

  async readLog({ id }: Turn, cursor?: string): Promise<LogRow[]> {
    const rows: LogRow[] = [];
    await this.read(id, offsetOf(cursor), row => rows.push(row));
    return rows;
  }

  attempts({ id }: Turn) {
    return [() => this.read(id, '-1', () => {})];
  }

  async close(): Promise<void> {}

  private async read(runId: string, offset: string, onRow: (row: LogRow) => void, signal?: AbortSignal): Promise<void> {
    const { url, secret } = this.caller;
    const options = { url: `${url}/streams/runs/${runId}`, headers: bearer(secret), offset, live: 'sse' as const, json: true };
    const response = await stream<RunEvent>({ ...options, ...(signal && { signal }) });
    await new Promise<void>((resolve, reject) => {
      response.closed.catch(reject);
      response.subscribeJson(batch => {
        for (const event of batch.items) onRow({ cursor: String(event.seq), content: event });
        if (batch.streamClosed) resolve();
      });
    });
  }
}

/** The offset behind an event; the number of a run has ten digits. */
const offsetOf = (cursor = '-1'): string => (cursor === '-1' ? cursor : cursor.padStart(10, '0'));
