import fc from 'fast-check';
import { createDemoLlm, toPieces } from '../../../src/adapter/demo/demo_llm';
import type { ChatMessage, LlmRequest, LlmSink } from '../../../src/port/llm';
import { getAllToolNames, getSchema } from '../../../src/tools/catalog';
import { toWireTool } from '../../../src/tools/wire_tool';

const CHARACTER = fc.constantFrom(...'aZ 7,.:;\'"`\n-→好改词“「😀é\uE000\0');

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
    locale: 'en',
    signal: new AbortController().signal,
    ...more,
  };
}

function collector(): { sink: LlmSink; pieces: string[] } {
  const pieces: string[] = [];
  return { pieces, sink: { onText: text => pieces.push(text), onReasoning: () => {} } };
}

describe('the demo model as a model', () => {
  it('says that it is a demo without AI', async () => {
    const llm = createDemoLlm({ delayMs: 0 });
    expect(llm.info).toEqual({ provider: 'demo', model: 'demo', demo: true });
    for (const text of ['hello', 'help']) {
      const { message } = await llm.stream(requestOf(text), collector().sink);
      expect(message.content).toMatch(/demo mode.*no AI.*OPENAI_API_KEY/s);
    }
  });

  it('streams its text in small pieces and counts tokens', async () => {
    const { sink, pieces } = collector();
    const answer = await createDemoLlm({ delayMs: 0 }).stream(requestOf('help'), sink);
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toBe(answer.message.content);
    expect(answer.finishReason).toBe('stop');
    expect(answer.usage?.outputTokens).toBeGreaterThan(50);
    expect(answer.usage?.inputTokens).toBeGreaterThan(0);
  });

  it('pauses between pieces', async () => {
    const waits: number[] = [];
    const llm = createDemoLlm({ delayMs: 5, wait: async milliseconds => void waits.push(milliseconds) });
    const { sink, pieces } = collector();
    await llm.stream(requestOf('hello'), sink);
    expect(waits).toEqual(pieces.map(() => 5));
  });

  it('cuts no character in two and takes a bounded number of pieces', () => {
    fc.assert(
      fc.property(fc.string({ unit: CHARACTER, maxLength: 12 }), fc.nat(200), (text, times) => {
        const pieces = toPieces(text.repeat(times));
        expect(pieces.join('')).toBe(text.repeat(times));
        expect(pieces.length).toBeLessThanOrEqual(150);
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });

  it('stops at once when it is aborted in mid-stream, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled by the person');
    const pieces: string[] = [];
    const sink: LlmSink = {
      onText(text) {
        pieces.push(text);
        if (pieces.length === 3) controller.abort(reason);
      },
      onReasoning: () => {},
    };
    const answer = createDemoLlm({ delayMs: 1 }).stream(requestOf('help', { signal: controller.signal }), sink);
    await expect(answer).rejects.toBe(reason);
    expect(pieces).toHaveLength(3);
  });

  it('wakes from its pause when it is aborted', async () => {
    const controller = new AbortController();
    const answer = createDemoLlm({ delayMs: 60_000 }).stream(requestOf('help', { signal: controller.signal }), collector().sink);
    controller.abort('enough');
    await expect(answer).rejects.toBe('enough');
  });

  it('gives calls with different ids and JSON arguments', async () => {
    const { message, finishReason } = await createDemoLlm({ delayMs: 0 }).stream(requestOf('list the files in docs'), collector().sink);
    expect(finishReason).toBe('tool_calls');
    expect(message.tool_calls).toHaveLength(1);
    expect(JSON.parse(message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({ path: 'docs' });
  });

  it('uses memory tools when they are offered', async () => {
    const llm = createDemoLlm({ delayMs: 0 });
    const argumentsFor = async (text: string) => (await llm.stream(requestOf(text), collector().sink)).message.tool_calls?.[0]?.function;
    expect(await argumentsFor('remember that I like tea')).toEqual({
      name: 'memory_save',
      arguments: JSON.stringify({ action: 'save', content: 'I like tea' }),
    });
    expect(await argumentsFor('what do you remember about tea?')).toEqual({
      name: 'memory_recall',
      arguments: JSON.stringify({ query: 'tea' }),
    });
  });
});

describe('any conversation', () => {
  const base = requestOf('');
  const phrases = [
    'list the files',
    'change a word in one',
    'ask me which',
    'read notes.txt',
    'run `ls`',
    'plan: a; list the files; b',
    'create a.txt with x',
    'change "a" to "b" in c.txt',
    'remember tea',
    'sing',
    '列出文件',
    '改其中一个里的一个词',
    '问我改哪个',
    '把 a 改成 b',
  ];
  const results = [
    '',
    'There is no such thing.',
    'The workspace: 2 entries\nfile        3 B  a.txt\nfile        5 B  b.txt',
    'a.txt, lines 1-1 of 1.\n1|a word',
    'The person answered:\na.txt',
    'The person answered:\na to b',
    'Nobody answered in time.',
    'Exit code 0 (0.1 s)\nok',
  ];

  it('ends after a bounded number of calls and never calls a tool that is not offered', async () => {
    const llm = createDemoLlm({ delayMs: 0 });
    const cases = fc.asyncProperty(
      fc.array(fc.constantFrom(...phrases), { minLength: 1, maxLength: 5 }),
      fc.subarray(getAllToolNames()),
      fc.infiniteStream(fc.constantFrom(...results)),
      async (parts, names, outcomes) => {
        const tools = wireTools(names);
        const messages: ChatMessage[] = [{ role: 'user', content: parts.join(', then ') }];
        for (let attempts = 0; ; attempts++) {
          expect(attempts).toBeLessThan(60);
          const { message } = await llm.stream({ ...base, messages, tools }, collector().sink);
          messages.push(message);
          if (!message.tool_calls?.length) {
            expect(message.content).not.toBe('');
            return;
          }
          for (const call of message.tool_calls) {
            expect(names).toContain(call.function.name);
            messages.push({ role: 'tool', tool_call_id: call.id, content: outcomes.next().value });
          }
        }
      },
    );
    await fc.assert(cases, { numRuns: 80 });
  });

  it('answers any text and any history without throwing', async () => {
    const llm = createDemoLlm({ delayMs: 0 });
    const text = fc.oneof(fc.string({ unit: CHARACTER }), fc.constantFrom(...phrases, ...results));
    const message = fc.oneof(
      fc.record({ role: fc.constant('user' as const), content: text }),
      fc.record({ role: fc.constant('assistant' as const), content: fc.option(text) }),
      fc.record({ role: fc.constant('tool' as const), tool_call_id: fc.string(), content: text }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), text, async (history, last) => {
        const messages: ChatMessage[] = [...history, { role: 'user', content: last }];
        const { message: answer } = await llm.stream({ ...base, messages }, collector().sink);
        expect(answer.content || answer.tool_calls).toBeTruthy();
      }),
      { numRuns: 150 },
    );
  });
});
