/** OpenAI Responses with the official client; responses in the background outlive their caller. */
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { Door, DoorCaller, DoorClient, LogRow, SendOptions, Turn } from './door';

export const OPENAI_RESPONSES_DOOR: Door = {
  name: 'OpenAI Responses',
  guide: 'openai-responses.md',
  forms: {
    stream: 'text',
    resume: 'cursor',
    question: ['text'],
    approval: 'refused',
    cancel: 'request',
    budget: 'status: incomplete',
    error: 'APIError.code',
  },
  ends: { completed: 'completed', budget: 'incomplete', cancelled: 'cancelled' },
  errors: {
    failedRun: { code: 'model_refused' },
    unknownAgent: { status: 404, code: 'model_not_found', param: 'model' },
    wrongKey: { status: 401, code: 'invalid_api_key' },
    quota: { status: 429, code: 'insufficient_quota' },
    otherTenant: { status: 404 },
  },
  connect: async caller => new OpenAIResponsesDoorClient(caller),
};

class OpenAIResponsesDoorClient implements DoorClient {
  private readonly client: OpenAI;

  constructor({ url, secret }: DoorCaller) {
    this.client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 });
  }

  async send(input: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation, agent: model = 'default', cancel, leave } = options;
    const request = { model, input, background: true, stream: true, previous_response_id: conversation ?? null } as const;
    const stream = await this.client.responses.create(request, { signal: leave });
    const turn: Turn = { message: input, text: '', id: '', conversation: '' };
    cancel?.addEventListener('abort', () => void this.client.responses.cancel(turn.id));
    return this.read(stream, turn, options);
  }

  async comeBack(left: Turn): Promise<Turn> {
    return this.read(await this.open(left, left.cursor), { ...left });
  }

  async readLog(turn: Turn, cursor?: string): Promise<LogRow[]> {
    const rows: LogRow[] = [];
    for await (const event of await this.open(turn, cursor)) rows.push({ cursor: String(event.sequence_number), content: event });
    return rows;
  }

  attempts({ id }: Turn) {
    return [
      () => this.client.responses.retrieve(id),
      () => this.client.responses.inputItems.list(id),
      () => this.client.responses.cancel(id),
      () => this.client.responses.delete(id),
      () => this.send('let me in', { conversation: id }),
    ];
  }

  async close(): Promise<void> {}

  private open({ id }: Turn, cursor?: string) {
    return this.client.responses.retrieve(id, { stream: true, ...(cursor !== undefined && { starting_after: Number(cursor) }) });
  }

  private async read(stream: AsyncIterable<ResponseStreamEvent>, turn: Turn, { onText, leave }: SendOptions = {}): Promise<Turn> {
    for await (const event of stream) {
      if (leave?.aborted) break;
      turn.cursor = String(event.sequence_number);
      if ('response' in event) {
        Object.assign(turn, { id: event.response.id, conversation: event.response.id, end: event.response.status });
        if (event.type === 'response.failed') throw event.response.error;
      }
      if (event.type !== 'response.output_text.delta') continue;
      turn.text += event.delta;
      onText?.(turn.text);
    }
    return turn;
  }
}
