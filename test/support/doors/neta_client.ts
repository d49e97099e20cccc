/** REST with @neta/client. */
import { NetaClient } from '../../../clients/typescript/src';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';
import { EventTurn, toLog } from './event_turn';
import { REST_DOOR } from './rest';

const otherTenant = { name: 'NetaError', code: 'not_found', status: 404 };

export const NETA_CLIENT_DOOR: Door = {
  ...REST_DOOR,
  name: '@neta/client',
  guide: '../../clients/typescript/README.md',
  forms: { ...REST_DOOR.forms, error: 'NetaError.code' },
  ends: { ...REST_DOOR.ends, cancelled: { name: 'AbortError' } },
  errors: {
    failedRun: { status: 'failed', code: 'model_refused' },
    unknownAgent: { name: 'NetaError', code: 'not_found', fields: { param: '/agent' } },
    wrongKey: { name: 'NetaError', code: 'unauthenticated', status: 401 },
    quota: { name: 'NetaError', code: 'quota_exceeded', status: 429 },
    otherTenant,
  },
  connect: async caller => new NetaDoorClient(caller),
};

class NetaDoorClient implements DoorClient {
  private readonly neta: NetaClient;

  constructor({ url, secret }: DoorCaller) {
    this.neta = new NetaClient({ url, apiKey: secret, retries: 0 });
  }

  async send(input: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation: sessionId, agent, onQuestion, onApproval, cancel, leave } = options;
    const turn = new EventTurn(input, { ...options, onQuestion: undefined, onApproval: undefined });
    if (leave) {
      // `run` cancels what its signal aborts; `events` only stops reading.
      const run = await this.neta.startRun({ input, sessionId, agent });
      void readTo(turn, run.events({ signal: leave }));
      return turn.end;
    }
    const ended = this.neta.run(
      { input, sessionId, agent },
      {
        onEvent: turn.take,
        signal: cancel,
        ...(onQuestion && { onQuestion: ({ question }) => onQuestion(question) }),
        ...(onApproval && { onApproval: ({ args }) => (onApproval(JSON.stringify(args)) === 'allow' ? 'allow_once' : 'deny') }),
      },
    );
    await ended;
    return turn.end;
  }

  async comeBack(left: Turn): Promise<Turn> {
    const turn = EventTurn.after(left);
    await readTo(turn, this.neta.openRun(left.id).events({ after: Number(left.cursor) }));
    return turn.end;
  }

  async readLog({ id }: Turn, cursor = '0') {
    const events = [];
    for await (const event of this.neta.openRun(id).events({ after: Number(cursor) })) events.push(event);
    return toLog(events);
  }

  attempts({ id, conversation }: Turn) {
    const run = this.neta.openRun(id);
    return [
      () => run.result(),
      () => run.events().next(),
      () => run.steer('let me in'),
      () => run.cancel(),
      () => this.neta.startRun({ input: 'let me in', sessionId: conversation }),
    ];
  }

  async close(): Promise<void> {}
}

async function readTo(turn: EventTurn, events: AsyncIterable<Parameters<EventTurn['take']>[0]>): Promise<void> {
  try {
    for await (const event of events) turn.take(event);
  } catch (thrown) {
    if ((thrown as Error).name !== 'AbortError') throw thrown;
  }
}
