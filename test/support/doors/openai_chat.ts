/** OpenAI chat completions with the official client. */
import OpenAI from 'openai';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

export const OPENAI_CHAT_DOOR: Door = {
  name: 'OpenAI chat completions',
  guide: 'openai-clients.md',
  forms: {
    stream: 'text',
    resume: 'retry',
    question: ['text'],
    approval: 'refused',
    cancel: 'leaving',
    budget: 'finish_reason: length',
    error: 'APIError.code',
  },
  ends: { completed: 'stop', budget: 'length', cancelled: undefined },
  errors: {
    failedRun: { status: 502, code: 'model_refused' },
    unknownAgent: { status: 404, code: 'model_not_found', param: 'model' },
    wrongKey: { status: 401, code: 'invalid_api_key' },
    quota: { status: 429, code: 'insufficient_quota' },
    otherTenant: { status: 404 },
  },
  connect: async caller => new OpenAIChatDoorClient(caller),
};

class OpenAIChatDoorClient implements DoorClient {
  private readonly client: OpenAI;

  constructor({ url, secret }: DoorCaller) {
    this.client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 });
  }

  async send(message: string, { conversation, agent = 'default', onText, cancel, leave }: SendOptions = {}): Promise<Turn> {
    const turn: Turn = { message, text: '', id: '', conversation: '' };
    const { data, response } = await this.client.chat.completions
      .create(
        { model: agent, messages: [{ role: 'user', content: message }], stream: true },
        // The same key makes a second request join the run of the first.
        { headers: { 'idempotency-key': message, ...(conversation && { 'x-session-id': conversation }) }, signal: cancel ?? leave },
      )
      .withResponse();
    turn.conversation = response.headers.get('x-session-id') ?? '';
    // The client ends the loop without an error when its caller aborts.
    for await (const { id, choices } of data) {
      turn.id = id;
      turn.end = choices[0]?.finish_reason ?? turn.end;
      turn.text += choices[0]?.delta.content ?? '';
      if (choices[0]?.delta.content) onText?.(turn.text);
    }
    return turn;
  }

  comeBack({ message }: Turn): Promise<Turn> {
    return this.send(message);
  }

  attempts({ conversation }: Turn) {
    return [() => this.send('let me in', { conversation })];
  }

  async close(): Promise<void> {}
}
