/** Anthropic Messages with the official client. */
import Anthropic from '@anthropic-ai/sdk';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

const errorOf = (error_code: string) => ({ error: { error: { details: { error_code } } } });

export const ANTHROPIC_DOOR: Door = {
  name: 'Anthropic Messages',
  guide: 'anthropic-messages.md',
  forms: {
    stream: 'text',
    resume: 'retry',
    question: ['text'],
    approval: 'refused',
    cancel: 'leaving',
    budget: 'stop_reason: max_tokens',
    error: 'error.details.error_code',
  },
  ends: { completed: 'end_turn', budget: 'max_tokens', cancelled: undefined },
  errors: {
    failedRun: { status: 502, type: 'api_error', ...errorOf('model_refused') },
    unknownAgent: { status: 404, type: 'not_found_error' },
    wrongKey: { status: 401, type: 'authentication_error', ...errorOf('unauthenticated') },
    quota: { status: 429, type: 'rate_limit_error', ...errorOf('quota_exceeded') },
    otherTenant: { status: 404, type: 'not_found_error' },
  },
  connect: async caller => new AnthropicDoorClient(caller),
};

class AnthropicDoorClient implements DoorClient {
  private readonly client: Anthropic;

  constructor({ url, secret }: DoorCaller) {
    this.client = new Anthropic({ baseURL: url, apiKey: secret, maxRetries: 0 });
  }

  async send(content: string, { conversation, agent: model = 'default', onText, cancel, leave }: SendOptions = {}): Promise<Turn> {
    const turn: Turn = { message: content, text: '', id: '', conversation: '' };
    const { data, response } = await this.client.messages
      .create(
        { model, max_tokens: 1_000, messages: [{ role: 'user', content }], stream: true },
        // The same key makes a second request join the run of the first.
        { headers: { 'idempotency-key': content, ...(conversation && { 'x-session-id': conversation }) }, signal: cancel ?? leave },
      )
      .withResponse();
    turn.conversation = response.headers.get('x-session-id') ?? '';
    // The client ends the loop without an error when its caller aborts.
    for await (const event of data) {
      if (event.type === 'message_start') turn.id = event.message.id;
      if (event.type === 'message_delta') turn.end = event.delta.stop_reason;
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
      turn.text += event.delta.text;
      onText?.(turn.text);
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
