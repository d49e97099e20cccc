/** A2A 1.0 with the official client. */
import type { Part, TaskState as State, StreamResponse } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { ClientFactory, JsonRpcTransportFactory, Role, TaskState } from '../a2a_client';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

const detailOf = (code: string) => ({ data: [{ metadata: { code } }] });

export const A2A_DOOR: Door = {
  name: 'A2A',
  guide: 'a2a.md',
  forms: {
    stream: 'text',
    resume: 'whole',
    question: ['asked'],
    approval: 'asked',
    cancel: 'request',
    budget: 'metadata.reason: budget',
    error: 'error.data[0].metadata.code',
  },
  ends: {
    completed: { state: TaskState.TASK_STATE_COMPLETED },
    cancelled: { state: TaskState.TASK_STATE_CANCELED },
    budget: { state: TaskState.TASK_STATE_COMPLETED, metadata: { status: 'incomplete', reason: 'budget' } },
  },
  errors: {
    failedRun: { state: TaskState.TASK_STATE_FAILED },
    unknownAgent: { name: 'RequestMalformedError', ...detailOf('not_found') },
    wrongKey: { name: 'JsonRpcTransportError', ...detailOf('unauthenticated') },
    quota: { name: 'JsonRpcTransportError', ...detailOf('quota_exceeded') },
    otherTenant: { name: expect.stringContaining('TaskNotFound') },
  },
  connect: connectA2a,
};

async function connectA2a({ url, secret }: DoorCaller): Promise<DoorClient> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${secret}`);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  return new A2aDoorClient(await factory.createFromUrl(url));
}

type SendParams = Parameters<Client['sendMessage']>[0];

let made = 0;

class A2aDoorClient implements DoorClient {
  constructor(private readonly client: Client) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation: contextId = '', agent } = options;
    const turn: Turn = { message, text: '', id: '', conversation: contextId };
    const params = toParams(message, { contextId, metadata: agent === undefined ? undefined : { agent } });
    options.cancel?.addEventListener('abort', () => void this.client.cancelTask({ tenant: '', id: turn.id, metadata: undefined }));
    return this.read(this.client.sendMessageStream(params, { signal: options.leave }), turn, options);
  }

  /** The stream of a task begins at its beginning. A task that has ended has no stream any more. */
  async comeBack(left: Turn): Promise<Turn> {
    const request = { tenant: '', id: left.id };
    try {
      return await this.read(this.client.resubscribeTask(request), { ...left, text: '' }, {});
    } catch (thrown) {
      if ((thrown as Error).name !== 'UnsupportedOperationError') throw thrown;
      const { artifacts, status, metadata } = await this.client.getTask(request);
      return { ...left, text: textOf(artifacts[0]?.parts), end: { state: status?.state, metadata } };
    }
  }

  attempts({ id, conversation: contextId }: Turn) {
    return [
      () => this.client.getTask({ tenant: '', id }),
      () => this.client.cancelTask({ tenant: '', id, metadata: undefined }),
      () => this.client.sendMessage(toParams('let me in', { taskId: id, contextId })),
      () => this.client.resubscribeTask({ tenant: '', id }).next(),
    ];
  }

  async close(): Promise<void> {}

  private async read(stream: AsyncIterable<StreamResponse>, turn: Turn, options: SendOptions): Promise<Turn> {
    let asked = '';
    let kind: unknown;
    try {
      for await (const { payload } of stream) {
        if (options.leave?.aborted) break;
        if (payload?.$case === 'task') Object.assign(turn, { id: payload.value.id, conversation: payload.value.contextId });
        if (payload?.$case === 'artifactUpdate') {
          const piece = textOf(payload.value.artifact?.parts);
          turn.text = payload.value.append ? turn.text + piece : piece;
          options.onText?.(turn.text);
        }
        if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') continue;
        const { status, metadata } = payload.value;
        turn.end = { state: status?.state, metadata };
        asked = textOf(status?.message?.parts);
        kind = status?.message?.metadata?.['kind'];
      }
    } catch (thrown) {
      if (!options.leave?.aborted) throw thrown;
    }
    const { state } = (turn.end ?? {}) as { state?: State };
    if (state === TaskState.TASK_STATE_FAILED) throw turn.end;
    if (state !== TaskState.TASK_STATE_INPUT_REQUIRED || options.leave?.aborted) return turn;
    const answer = kind === 'approval' ? options.onApproval?.(asked) : options.onQuestion?.(asked);
    const params = toParams(answer ?? '', { taskId: turn.id, contextId: turn.conversation });
    return this.read(this.client.sendMessageStream(params), { ...turn, text: '' }, options);
  }
}

const textOf = (parts: readonly Part[] = []): string => parts.map(({ content }) => content?.value).join('');

function toParams(text: string, fields: { contextId?: string; taskId?: string; metadata?: object | undefined }): SendParams {
  const part = { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' };
  const ids = { messageId: `door-${process.pid}-${++made}`, contextId: '', taskId: '' };
  const rest = { role: Role.ROLE_USER, parts: [part], metadata: undefined, extensions: [], referenceTaskIds: [] };
  return { tenant: '', message: { ...ids, ...rest, ...fields }, configuration: undefined, metadata: undefined } as SendParams;
}
