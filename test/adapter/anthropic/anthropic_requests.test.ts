/** What Anthropic's API alone has: marks of its cache, thinking by model, and what its models refuse. */
import { anthropicApi } from '../../../src/adapter/anthropic/anthropic_api';
import { createNativeModel } from '../../../src/adapter/native/native_model';
import { type ChatMessage, type LlmRequest, summaryMessageOf, systemMessageOf } from '../../../src/port/llm';
import type { ReasoningFields } from '../../../src/port/model_client';
import { anthropicWire } from '../../support/wires/anthropic_wire';
import { startWireServer, type WireServer } from '../../support/wires/wire_server';
import { ask, recordingSink } from '../openai/ask';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer(anthropicWire);
});
afterAll(() => server.stop());

interface SentBody {
  [field: string]: unknown;
  tools?: { name: string; cache_control?: object }[];
  system?: { text: string; cache_control?: object }[];
  messages: { role: string; content: { type: string; cache_control?: object; text?: string }[] }[];
}

interface Options {
  model?: string;
  reasoning?: ReasoningFields;
  suffix?: string;
}

/** Returns the body and the headers of a request to a model that answers "fine". */
async function sent(request: Partial<LlmRequest>, { model = 'claude-opus-4-5', reasoning, suffix = '' }: Options = {}) {
  const address = server.serve({ parts: [{ text: ['fine'] }] });
  const client = createNativeModel(anthropicApi, { baseUrl: address.baseUrl.replace('/v1', suffix), model, reasoning });
  await client.stream({ ...ask('hi'), ...request }, recordingSink());
  client.close();
  // A cast: the tests look at the fields that they name.
  return { body: address.bodies[0] as unknown as SentBody, headers: address.headers[0] ?? {}, path: address.requests[0]?.path };
}

const tool = (name: string) => ({ type: 'function' as const, function: { name, description: name, parameters: { type: 'object' } } });
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'first', arguments: '{}' } });
const TOOLS = [tool('first'), tool('second')];
const STEP: ChatMessage[] = [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
  { role: 'tool', tool_call_id: 'a', content: 'A' },
  { role: 'tool', tool_call_id: 'b', content: 'B' },
];

describe('the marks of the cache', () => {
  const system = systemMessageOf([{ text: 'Stable.' }, { text: '\n- a memory' }, { text: '\n\nIt is noon.' }]);

  it('stand behind the tools, the stable part of the prompt, the request before, and the newest message', async () => {
    const { body } = await sent({ messages: [system, ...STEP], tools: TOOLS });
    expect(body.tools?.map(({ cache_control: mark }) => mark !== undefined)).toEqual([false, true]);
    expect(body.system).toEqual([
      { type: 'text', text: 'Stable.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: '\n- a memory\n\nIt is noon.' },
    ]);
    const marks = body.messages.map(({ content }) => content.map(({ cache_control: mark }) => mark !== undefined));
    expect(marks).toEqual([[true], [false, false], [false, true]]);
  });

  it('stand behind a summary in place of the request before', async () => {
    const messages = [system, summaryMessageOf('So far: nothing.'), { role: 'assistant' as const, content: 'Yes.' }, ...STEP];
    const { body } = await sent({ messages, tools: TOOLS });
    const marks = body.messages.map(({ content }) => content.some(({ cache_control: mark }) => mark !== undefined));
    expect(marks).toEqual([true, false, false, false, true]);
  });

  it('change nothing of what was sent before but the marks', async () => {
    const first = await sent({ messages: [system, ...STEP.slice(0, 1)], tools: TOOLS });
    const second = await sent({ messages: [system, ...STEP], tools: TOOLS });
    const withoutMarks = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)));
    expect(withoutMarks(second.body.messages).slice(0, 1)).toEqual(withoutMarks(first.body.messages));
    expect([second.body.tools, second.body.system]).toEqual([first.body.tools, first.body.system]);
  });
});

describe('thinking', () => {
  it.each([
    ['claude-haiku-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 4_096 }, max_tokens: 64_000 }],
    ['claude-sonnet-4-20250514', 'high', { thinking: { type: 'enabled', budget_tokens: 24_576 }, max_tokens: 32_000 }],
    ['claude-opus-4-6', 'medium', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'medium' } }],
    ['claude-opus-5', 'minimal', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } }],
    ['claude-3-5-haiku-20241022', 'high', { max_tokens: 8_192 }],
    ['claude-opus-4-6', 'off', { max_tokens: 64_000 }],
  ] as const)('%s at the level %s', async (model, thinkingLevel, fields) => {
    const { body } = await sent({ thinkingLevel }, { model });
    expect(body).toMatchObject(fields);
    for (const name of ['thinking', 'output_config']) if (!(name in fields)) expect(body).not.toHaveProperty(name);
  });

  it('goes on between calls of tools: by a header where the model thinks for a budget', async () => {
    const budget = await sent({ thinkingLevel: 'low', tools: TOOLS });
    expect(budget.headers['anthropic-beta']).toBe('interleaved-thinking-2025-05-14');
    const adaptive = await sent({ thinkingLevel: 'low', tools: TOOLS }, { model: 'claude-opus-4-7' });
    expect(adaptive.headers).not.toHaveProperty('anthropic-beta');
  });

  it('has the header of context editing beside its own when an operator asks for edits', async () => {
    const context_management = { edits: [{ type: 'clear_tool_uses_20250919' }] };
    const edited = await sent({ thinkingLevel: 'low', tools: TOOLS, parameters: { extra: { context_management } } });
    expect(edited.body).toMatchObject({ context_management });
    expect(edited.headers['anthropic-beta']).toBe('interleaved-thinking-2025-05-14,context-management-2025-06-27');
  });

  it('pauses for a turn whose calls another model made, where the model thinks for a budget', async () => {
    const request = { messages: STEP, tools: TOOLS, thinkingLevel: 'low' as const };
    expect((await sent(request)).body).not.toHaveProperty('thinking');
    expect((await sent(request, { model: 'claude-opus-4-7' })).body).toHaveProperty('thinking');
    const steered: ChatMessage[] = [...STEP, { role: 'user', content: 'Faster.' }];
    expect((await sent({ ...request, messages: steered })).body).not.toHaveProperty('thinking');
    const later: ChatMessage[] = [...STEP, { role: 'assistant', content: 'Both.' }, { role: 'user', content: 'And now?' }];
    expect((await sent({ ...request, messages: later })).body).toHaveProperty('thinking');
  });

  it('is off for a call that must use a tool, which the API refuses otherwise', async () => {
    const parameters = { extra: { tool_choice: { type: 'function', function: { name: 'second' } } }, parallelToolCalls: false };
    const { body } = await sent({ tools: TOOLS, thinkingLevel: 'high', parameters });
    expect(body).not.toHaveProperty('thinking');
    expect(body['tool_choice']).toEqual({ type: 'tool', name: 'second', disable_parallel_tool_use: true });
  });

  it('thinks for less where the limit of the answer is small', async () => {
    const limited = (maxOutputTokens: number) => sent({ thinkingLevel: 'high', parameters: { maxOutputTokens } });
    expect((await limited(10_000)).body).toMatchObject({ thinking: { budget_tokens: 5_904 }, max_tokens: 10_000 });
    const { body } = await limited(500);
    expect(body).not.toHaveProperty('thinking');
    expect(body['max_tokens']).toBe(500);
  });

  it('leaves out thoughts of an answer that was cut off', async () => {
    const model = 'claude-opus-4-5';
    const address = server.serve({ parts: [{ text: ['fine'] }] });
    const client = createNativeModel(anthropicApi, { baseUrl: address.baseUrl, model });
    const name = `${new URL(address.baseUrl).host}${new URL(address.baseUrl).pathname} anthropic`;
    const cut = (signature: string, text: string): ChatMessage => {
      const own = { own: { type: 'thinking', thinking: 'Hm.', signature } };
      const blocks = text === '' ? [own] : [own, { text: [0, text.length] }];
      return { role: 'assistant', content: text, serverData: { server: name, fields: { model, units: text.length, blocks } } };
    };
    const say: ChatMessage = { role: 'user', content: 'Go on.' };
    await client.stream(
      { ...ask('hi'), messages: [say, cut('s', ''), say, cut('', 'Half'), say, cut('s', 'Whole'), say] },
      recordingSink(),
    );
    client.close();
    // A cast: the test looks at the blocks.
    const { messages } = address.bodies[0] as unknown as SentBody;
    const answers = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content.map(({ type }) => type));
    expect(answers).toEqual([['text'], ['thinking', 'text']]);
  });

  it('takes the fields of models.yaml in place of its own', async () => {
    const reasoning = { high: { thinking: { type: 'enabled', budget_tokens: 50_000 } } };
    const { body } = await sent({ thinkingLevel: 'high', parameters: { maxOutputTokens: 60_000 } }, { reasoning });
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 50_000 }, max_tokens: 60_000 });
  });
});

describe('parameters', () => {
  const parameters = { temperature: 1.4, topP: 0.5, stop: ['END'] };
  it.each([
    ['claude-3-5-haiku-20241022', 'off', { temperature: 1, top_p: 0.5 }],
    ['claude-opus-4-5', 'off', { temperature: 1 }],
    ['claude-opus-4-5', 'low', {}],
    ['claude-opus-4-8', 'off', {}],
  ] as const)('are sent as far as the model takes them: %s at the level %s', async (model, thinkingLevel, fields) => {
    const { body } = await sent({ parameters, thinkingLevel }, { model });
    const { temperature, top_p: topP, stop_sequences: stop } = body;
    expect(JSON.parse(JSON.stringify({ temperature, top_p: topP }))).toEqual(fields);
    expect(stop).toEqual(['END']);
  });

  it('may name further fields of the API', async () => {
    const { body } = await sent({ parameters: { extra: { top_k: 5, service_tier: 'standard_only', store: true } } });
    expect(body).toMatchObject({ top_k: 5, service_tier: 'standard_only' });
    expect(body).not.toHaveProperty('store');
  });

  it('replace nothing that the gateway writes', async () => {
    const { body } = await sent({ parameters: { extra: { system: 'Obey.', messages: [], tools: [] } } });
    expect(body).not.toHaveProperty('system');
    expect(body.messages).toHaveLength(1);
  });

  it('hold an answer to a schema only where the API takes it whole', async () => {
    const shaped = async (outputSchema: Record<string, unknown>) => (await sent({ outputSchema })).body['output_config'];
    const open = { type: 'object', properties: { facts: { type: 'object' } }, required: ['facts'] };
    expect(await shaped(open)).toBeUndefined();
    const closed = { type: ['object', 'null'], properties: { n: { type: 'number' } } };
    expect(await shaped(closed)).toEqual({ format: { type: 'json_schema', schema: { ...closed, additionalProperties: false } } });
  });
});

it('takes an address with and without /v1', async () => {
  expect((await sent({}, { suffix: '/v1' })).path).toBe('/v1/messages');
  expect((await sent({}, { suffix: '' })).path).toBe('/v1/messages');
});

it('sends no blank text, and begins with a person', async () => {
  const messages: ChatMessage[] = [
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: '  ' },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Hi.' },
  ];
  const { body } = await sent({ messages });
  expect(body.messages.map(({ role, content }) => [role, ...content.map(({ text }) => text)])).toEqual([
    ['user', '[The beginning of the conversation is left out.]'],
    ['assistant', 'Hello.'],
    ['user', 'Hi.'],
  ]);
});

it('gives each call of a history an id of its own: other servers count from zero in every answer', async () => {
  const messages: ChatMessage[] = [
    ...STEP,
    { role: 'assistant', content: null, tool_calls: [call('a')] },
    { role: 'tool', tool_call_id: 'a', content: 'C' },
  ];
  const { body } = await sent({ messages, tools: TOOLS });
  const ids = JSON.stringify(body.messages).match(/"(?:id|tool_use_id)":"[^"]+"/g) ?? [];
  const [first, second, resultA, resultB, third, resultC] = ids.map(id => id.split(':')[1]);
  expect([resultA, resultB, resultC]).toEqual([first, second, third]);
  expect(new Set([first, second, third]).size).toBe(3);
});
