import fc from 'fast-check';
import { createDemoLlm, toPieces } from '../../../src/adapter/demo/demo_llm';
import { DEMO_TEXTS } from '../../../src/adapter/demo/demo_texts';
import type { ChatMessage, LlmRequest, LlmSink } from '../../../src/port/llm';
import '../../../src/builtin_tools';
import { getAllToolNames, getSchema } from '../../../src/tools/catalog';
import { toWireTool } from '../../../src/tools/wire_tool';
import { messagesFor } from '../../../web/src/i18n/messages';

const CHARACTER = fc.constantFrom(...'aZ 7,.:;\'"`\n-→好改词“「😀é\uE000\0');
const { en, 'zh-CN': zh } = DEMO_TEXTS;

const wireTools = (names: readonly string[]) =>
  names.flatMap(name => {
    const spec = getSchema(name);
    return spec ? [toWireTool(spec, 'en')] : [];
  });

function requestOf(text: string, more: Partial<LlmRequest> = {}): LlmRequest {
  return {
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: text },
    ],
    tools: wireTools(getAllToolNames()),
    thinkingLevel: 'off',
    signal: new AbortController().signal,
    ...more,
  };
}

function collector(): { sink: LlmSink; pieces: string[] } {
  const pieces: string[] = [];
  return { pieces, sink: { onText: text => pieces.push(text), onReasoning: () => {} } };
}

const llm = createDemoLlm({ delayMs: 0 });
const answerTo = async (text: string, more: Partial<LlmRequest> = {}) =>
  (await llm.stream(requestOf(text, more), collector().sink)).message;

describe('the demo model as a model', () => {
  it('describes itself as a demo, and streams its text in small pieces', async () => {
    expect(llm.info).toEqual({ provider: 'demo', model: 'demo', demo: true });
    const { sink, pieces } = collector();
    const { message, finishReason, usage } = await llm.stream(requestOf(en.requests.help), sink);
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toBe(message.content);
    expect(finishReason).toBe('stop');
    expect(usage?.outputTokens).toBeGreaterThan(50);
  });

  it('splits no character and uses a bounded number of pieces', () => {
    fc.assert(
      fc.property(fc.string({ unit: CHARACTER, maxLength: 12 }), fc.nat(200), (text, times) => {
        const pieces = toPieces(text.repeat(times));
        expect(pieces.join('')).toBe(text.repeat(times));
        expect(pieces.length).toBeLessThanOrEqual(150);
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });

  it('stops within the pause when it is aborted, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled by the person');
    const { sink, pieces } = collector();
    const answer = createDemoLlm({ delayMs: 60_000 }).stream(requestOf('help', { signal: controller.signal }), sink);
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(pieces).toEqual([]);
  });
});

describe('what the demo understands', () => {
  it.each([...messagesFor('en').examples.slice(0, 3), ...messagesFor('zh-CN').examples.slice(0, 3)])(
    'works on "%s", which the page offers',
    async text => {
      const { tool_calls: calls = [] } = await answerTo(text);
      expect(calls).toHaveLength(1);
    },
  );

  it.each([
    'list files',
    'List files.',
    'list all files',
    'show me the files',
    'list the files in this folder',
    '列出所有文件',
    '请列出当前目录下的文件。',
    '列一下文件',
  ])('lists the files when asked "%s"', async text => {
    expect((await answerTo(text)).tool_calls?.[0]?.function.name).toBe('list_dir');
  });

  it.each([
    ['what can you do', en.requests.project],
    ['Help!', en.requests.project],
    ['你能做什么', zh.requests.project],
    ['你会做些什么？', zh.requests.project],
  ])('answers "%s" in its language with what it can do, also while it asks', async (text, request) => {
    const asked = [
      { role: 'user' as const, content: en.requests.project },
      { role: 'assistant' as const, content: en.question },
    ];
    expect((await answerTo(text)).content).toContain(request);
    expect((await answerTo(text, { messages: [...asked, { role: 'user', content: text }] })).content).toContain(request);
  });

  it('runs the command that the person wrote', async () => {
    const { tool_calls: calls } = await answerTo('run the command: echo "Hi there"  | tr a-z A-Z');
    expect(calls?.[0]?.function).toEqual({ name: 'bash', arguments: JSON.stringify({ command: 'echo "Hi there"  | tr a-z A-Z' }) });
  });

  it.each(['Write a haiku', en.requests.help, 'run the command', ''])(
    'answers "%s" with what it can do and how to connect a model',
    async text => {
      const { content, tool_calls: calls } = await answerTo(text);
      expect(calls).toBeUndefined();
      for (const request of [en.requests.project, en.requests.list, en.requests.run, en.requests.job]) expect(content).toContain(request);
      expect(content).toMatch(/no AI.*OPENAI_API_KEY=\S+ OPENAI_BASE_URL=\S+ \\\n {2}NETA_MODEL=\S+ neta-gateway # or: npm start/s);
    },
  );

  it('answers in the language of the message, or else of the system prompt', async () => {
    const inChinese = {
      messages: [
        { role: 'system' as const, content: '你是智能体。' },
        { role: 'user' as const, content: 'hi' },
      ],
    };
    expect((await answerTo('写一首诗')).content).toContain(zh.requests.project);
    expect((await answerTo('', inChinese)).content).toContain(zh.requests.project);
  });

  it('names the tool that it lacks', async () => {
    expect((await answerTo(en.requests.list, { tools: wireTools(['bash']) })).content).toContain('`list_dir`');
    expect((await answerTo(en.requests.project, { tools: [] })).content).toContain('`write_file`');
  });
});

describe('any conversation', () => {
  const phrases = [...Object.values(en.requests), ...Object.values(zh.requests), 'sing', '2', 'Hello'];
  const results = [
    '',
    'There is no such thing.',
    'Created a.txt: 1 lines, 2 bytes.',
    'Changed a.txt in 1 place',
    'first-steps/',
    'The person answered:\n a "b" ',
  ];
  const base = requestOf('');

  it('ends after a few calls, calls only offered tools, and always ends with text', async () => {
    const cases = fc.asyncProperty(
      fc.array(fc.constantFrom(...phrases), { minLength: 1, maxLength: 4 }),
      fc.subarray(getAllToolNames()),
      fc.infiniteStream(fc.constantFrom(...results)),
      async (texts, names, outcomes) => {
        const messages: ChatMessage[] = [];
        for (const content of texts) {
          messages.push({ role: 'user', content });
          for (let attempts = 0; ; attempts++) {
            expect(attempts).toBeLessThan(8);
            const { message } = await llm.stream({ ...base, messages, tools: wireTools(names) }, collector().sink);
            messages.push(message);
            if (!message.tool_calls?.length) {
              expect(message.content).not.toBe('');
              break;
            }
            for (const [i, call] of message.tool_calls.entries()) {
              expect(names).toContain(call.function.name);
              call.id = `call_${messages.length}_${i}`;
            }
            for (const call of message.tool_calls) messages.push({ role: 'tool', tool_call_id: call.id, content: outcomes.next().value });
          }
        }
      },
    );
    await fc.assert(cases, { numRuns: 100 });
  });

  it('answers any text and any history without throwing', async () => {
    const text = fc.oneof(fc.string({ unit: CHARACTER }), fc.constantFrom(...phrases, ...results, en.question));
    const message = fc.oneof(
      fc.record({ role: fc.constant('user' as const), content: text }),
      fc.record({ role: fc.constant('assistant' as const), content: fc.option(text) }),
      fc.record({ role: fc.constant('tool' as const), tool_call_id: fc.string(), content: text }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), text, async (history, last) => {
        const answer = await answerTo('', { messages: [...history, { role: 'user', content: last }] });
        expect(answer.content || answer.tool_calls).toBeTruthy();
      }),
      { numRuns: 200 },
    );
  });
});
