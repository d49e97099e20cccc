/** Model servers spell calls, arguments and the ends of answers in many ways. One gateway reads them all. */
import type { ChatMessage } from '../../src/port/llm';
import { type BrokenModel, callChunk, endEvents, finish, startBrokenModel, textChunk } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

type Events = Parameters<typeof endEvents>[1];

/** Message of a person -> the events of the answer; after a tool result the model says "done". */
const answers = new Map<string, Events>();
let model: BrokenModel;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  model = await startBrokenModel();
  const baseUrl = model.serve(({ response, body }) => {
    const last = (body['messages'] as ChatMessage[]).at(-1);
    const events = last?.role === 'tool' ? undefined : answers.get(last?.content ?? '');
    endEvents(response, events ?? [textChunk('done'), finish('stop'), '[DONE]']);
  });
  gateway = await startGateway({ env: { OPENAI_BASE_URL: baseUrl } });
  rest = createRestClient(gateway.url);
});

afterAll(async () => {
  await gateway?.stop();
  await model?.stop();
});

async function runWith(input: string, events: Events) {
  answers.set(input, events);
  return (await rest.run({ input })).body;
}

describe('one call of a server runs once', () => {
  const write = (args: string, more: Record<string, unknown> = {}) =>
    callChunk({ index: 0, type: 'function', ...more, function: { name: 'write_file', arguments: args } });
  const more = (args: string, fields: Record<string, unknown> = { index: 0 }) => callChunk({ ...fields, function: { arguments: args } });

  it.each<[string, (path: string) => Events]>([
    ['the name in every delta', path => [write('', { id: 'a' }), write(`{"path":"${path}",`), write('"content":"x"}'), write('')]],
    ['an empty object first', path => [write('{}', { id: 'a' }), more(`{"path":"${path}","content":"x"}`)]],
    [
      'the whole call again',
      path => [write(`{"path":"${path}",`, { id: 'a' }), more('"content":"x"}'), write(`{"path":"${path}","content":"x"}`, { id: 'a' })],
    ],
    [
      'a new id in every delta',
      path => [write(`{"path":"${path}",`, { index: undefined, id: 'id_0' }), more('"content":"x"}', { id: 'id_1' })],
    ],
  ])('%s', async (way, events) => {
    const path = `${way.replaceAll(' ', '_')}.txt`;
    const { toolCalls, status } = await runWith(way, [...events(path), finish('tool_calls'), '[DONE]']);
    expect({ toolCalls, status }).toMatchObject({
      toolCalls: [{ name: 'write_file', args: { path, content: 'x' }, ok: true, result: expect.stringContaining(`Created ${path}`) }],
      status: 'completed',
    });
  });
});
