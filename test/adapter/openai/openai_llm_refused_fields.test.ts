/** A server that refuses fields which it sent itself gets the conversation without them, and no request is repeated without end. */
import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import type { AssistantMessage, ChatMessage } from '../../../src/port/llm';
import { type BrokenModel, callChunk, chunk, endEvents, finish, sendJson, startBrokenModel, textChunk } from '../../support/broken_model';
import { ask, recordingSink } from './ask';

let raw: BrokenModel;
beforeAll(async () => {
  raw = await startBrokenModel();
});
afterAll(() => raw.stop());

const FIELDS = { reasoning_content: 'hm', reasoning_details: [{ type: 'text', text: 'hm', thought_signature: 's' }] };
const CALL = { index: 0, id: 'a', extra_content: { google: { thought_signature: 's' } }, function: { name: 'bash', arguments: '{}' } };

type Refuse = (message: AssistantMessage & Record<string, unknown>) => string | undefined;

/** Opens a conversation with a call and its result, on a server that refuses messages of the model for what `refuse` returns. */
async function converse(refuse: Refuse, { model = 'm', status = 400 } = {}) {
  let isOpen = true;
  const baseUrl = raw.serve(({ response, body }) => {
    const message = (body['messages'] as AssistantMessage[]).find(({ role }) => role === 'assistant');
    const said = isOpen || !message ? undefined : refuse({ ...message });
    if (said !== undefined) return sendJson(response, status, { error: { message: said, type: 'invalid_request_error' } });
    const isFirst = message === undefined;
    return endEvents(response, isFirst ? [chunk(FIELDS), callChunk(CALL), finish('tool_calls')] : [textChunk('ok'), finish('stop')]);
  });
  const llm = createOpenAiLlm({ baseUrl, model, limits: { maxRetries: 0 } });
  const request = ask('hi');
  const { message } = await llm.stream(request, recordingSink());
  isOpen = false;
  const messages: ChatMessage[] = [...request.messages, message, { role: 'tool', tool_call_id: 'a', content: 'ok' }];
  /** Returns the answer, or the words of the error, and the number of requests. */
  const goOn = async () => {
    const before = raw.requests(baseUrl);
    const answer = await llm.stream({ ...request, messages }, recordingSink()).then(
      ({ message: { content } }) => content,
      (error: Error) => error.message,
    );
    return [answer, raw.requests(baseUrl) - before];
  };
  return { goOn, close: () => llm.close() };
}

const callOf = (message: AssistantMessage): object => message.tool_calls?.[0] ?? {};

test.each<[string, Refuse]>([
  ['Unknown field: reasoning_content', message => ('reasoning_content' in message ? 'Unknown field: reasoning_content' : undefined)],
  [
    'messages.1.assistant.reasoning_details: Extra inputs are not permitted',
    message => ('reasoning_details' in message ? 'messages.1.assistant.reasoning_details: Extra inputs are not permitted' : undefined),
  ],
  [
    'Unknown name "extraContent" of a call',
    message =>
      'extra_content' in callOf(message) ? 'Invalid JSON payload: Unknown name "extra_content" at messages[1].tool_calls[0]' : undefined,
  ],
  ['the name inside of a field', message => ('extra_content' in callOf(message) ? 'thought_signature is not supported' : undefined)],
  [
    'no name at all',
    message =>
      'reasoning_content' in message || 'extra_content' in callOf(message)
        ? 'Additional properties are not allowed in messages[1]'
        : undefined,
  ],
])('%s: the field is left out from then on', async (_, refuse) => {
  for (const status of [400, 422]) {
    const { goOn, close } = await converse(refuse, { status });
    expect([await goOn(), await goOn()]).toEqual([
      ['ok', 2],
      ['ok', 1],
    ]);
    close();
  }
});

test('several fields are refused one at a time', async () => {
  const { goOn, close } = await converse(message => {
    const name = Object.keys(FIELDS).find(field => field in message) ?? ('extra_content' in callOf(message) ? 'extra_content' : undefined);
    return name && `property '${name}' is unsupported`;
  });
  expect([await goOn(), await goOn()]).toEqual([
    ['ok', 4],
    ['ok', 1],
  ]);
  close();
});

test('a substitute is left out when the server refuses it too', async () => {
  const { goOn, close } = await converse(message => ('reasoning_content' in message ? 'reasoning_content: unknown field' : undefined), {
    model: 'kimi-k2',
  });
  expect([await goOn(), await goOn()]).toEqual([
    ['ok', 3],
    ['ok', 1],
  ]);
  close();
});

test('a refusal that goes on is an error after a few requests, and nothing is left out', async () => {
  const { goOn, close } = await converse(message => `reasoning_content is bad${'reasoning_content' in message ? '' : ' without it'}`);
  const [said, requests] = await goOn();
  expect(said).toMatch(/reasoning_content is bad without it$/);
  expect(requests).toBe(2);
  expect((await goOn())[1]).toBe(2);
  close();
});

test('a field that the server wants is not left out, and one that it wants after all comes back', async () => {
  const missing = 'Missing `reasoning_content` field in the assistant message at index 1';
  const wants = await converse(() => missing);
  expect(await wants.goOn()).toEqual([expect.stringContaining(missing), 1]);
  wants.close();
  let isStrict = true;
  const changes = await converse(message => {
    const has = 'reasoning_content' in message;
    if (isStrict) return has ? 'Unknown field: reasoning_content' : undefined;
    return has ? undefined : missing;
  });
  expect(await changes.goOn()).toEqual(['ok', 2]);
  isStrict = false;
  expect([await changes.goOn(), await changes.goOn()]).toEqual([
    ['ok', 2],
    ['ok', 1],
  ]);
  changes.close();
});

test('other refusals are not repeated', async () => {
  for (const said of ['reasoning is hard', 'Unknown field: chat_template_kwargs', 'Rate of messages is bad']) {
    const { goOn, close } = await converse(() => said);
    expect((await goOn())[1]).toBe(1);
    close();
  }
});
