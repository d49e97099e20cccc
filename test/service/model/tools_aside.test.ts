import { AppError, inOneLanguage } from '../../../src/errors';
import type { LlmPort, WireTool } from '../../../src/port/llm';
import { streamWithTools, ToolsAside } from '../../../src/service/model/tools_aside';

const tool = (name: string, description = 'x'): WireTool => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: {} } },
});

describe('ToolsAside', () => {
  test('leaves the named tools out, and gives the same list for the same list', () => {
    const aside = new ToolsAside();
    const tools = [tool('a'), tool('b')];
    expect(aside.offerable(tools)).toBe(tools);
    expect(aside.putAside(['b', 'other'], tools, 'Bad.')).toEqual([tool('b')]);
    expect(aside.offerable(tools).map(({ function: { name } }) => name)).toEqual(['a']);
    expect(aside.offerable(tools)).toBe(aside.offerable(tools));
    expect(aside.list()).toEqual([{ tool: 'b', reason: 'Bad.' }]);
    expect(aside.putAside(['other'], tools, 'Bad.')).toEqual([]);
  });

  test('offers a tool again when its definition has changed, and forgets it once the server takes it', () => {
    const aside = new ToolsAside();
    aside.putAside(['a'], [tool('a')], 'Bad.');
    aside.putAside(['a'], [tool('a', '中文')], 'Bad.');
    expect(aside.offerable([tool('a'), tool('a', '中文')])).toEqual([]);
    const changed = [tool('a', 'new')];
    expect(aside.offerable(changed)).toBe(changed);
    aside.noteAccepted(changed);
    expect(aside.list()).toEqual([]);
  });

  test('keeps a limited number of tools', () => {
    const aside = new ToolsAside();
    for (let i = 0; i < 500; i++) aside.putAside([`t${i}`], [tool(`t${i}`)], 'Bad.');
    expect(aside.list().length).toBe(200);
    expect(aside.list().at(-1)?.tool).toBe('t499');
  });
});

describe('a request with tools that the server refuses one at a time', () => {
  const refusal = (...tools: string[]) =>
    new AppError('model_refused', { ...inOneLanguage(`Bad: ${tools}.`), details: { reason: 'tool_refused', tools } });

  /** Returns the answer, or the code of the error, and what is known afterwards. `isBad`: the server refuses the tool. `last`: it fails with this, then. */
  async function ask(
    names: readonly string[],
    isBad: (name: string) => boolean,
    { last, shows = false }: { last?: Error; shows?: boolean } = {},
  ) {
    const toolsAside = new ToolsAside();
    const told: string[] = [];
    let requests = 0;
    const sink = { isShown: false, onText: () => {}, onReasoning: () => {} };
    const client: LlmPort = {
      info: { provider: 'p', model: 'm', demo: false },
      async stream({ tools }) {
        requests++;
        const bad = tools.find(({ function: { name } }) => isBad(name));
        if (bad) throw refusal(bad.function.name);
        sink.isShown = shows;
        if (last) throw last;
        return { message: { role: 'assistant', content: 'ok' }, reasoning: '', finishReason: 'stop' };
      },
    };
    const isForeignTool = (name: string) => name.startsWith('mcp_');
    const request = {
      messages: [],
      tools: names.map(name => tool(name)),
      thinkingLevel: 'off' as const,
      isForeignTool,
      signal: new AbortController().signal,
    };
    const found = await streamWithTools({ client, toolsAside }, request, sink, all => told.push(...all)).then(
      answer => answer.toolsAside ?? [],
      (error: Error) => error.message,
    );
    return { found, requests, told, aside: toolsAside.list().map(({ tool: name }) => name) };
  }
  const many = (count: number, start: string) => [...Array(count)].map((_, i) => `${start}${i}`);

  test.each([1, 10, 16])('leaves out %d of them alone', async count => {
    const bad = many(count, 'mcp_bad');
    const answered = await ask(['own', ...bad, 'mcp_good'], name => bad.includes(name));
    expect(answered).toEqual({ found: bad, requests: count + 1, told: bad, aside: bad });
  });

  test('leaves out all foreign tools when many are refused', async () => {
    const { found, requests } = await ask(['own', ...many(60, 'mcp_bad'), 'mcp_good'], name => name.startsWith('mcp_bad'));
    expect([found.length, requests]).toEqual([61, 18]);
  });

  test('ends when tools of the gateway are refused without end', async () => {
    const { found, requests, aside } = await ask(many(60, 'own'), () => true);
    expect([found, requests, aside]).toEqual(['Bad: own24.', 25, []]);
  });

  test('offers them again when the request fails without them, but not when its answer breaks', async () => {
    const last = new AppError('model_unreachable', inOneLanguage('Gone.'));
    const names = ['own', 'mcp_bad0', 'mcp_bad1'];
    const isBad = (name: string) => name.startsWith('mcp_bad');
    expect(await ask(names, isBad, { last })).toEqual({ found: 'Gone.', requests: 3, told: [], aside: [] });
    expect(await ask(names, isBad, { last, shows: true })).toMatchObject({ found: 'Gone.', aside: ['mcp_bad0', 'mcp_bad1'] });
  });

  test('takes back only what it put aside itself', () => {
    const aside = new ToolsAside();
    aside.putAside(['a'], [tool('a')], 'Bad.');
    const second = aside.putAside(['a'], [tool('a', '中文')], 'Bad.');
    aside.takeBack(second);
    expect([aside.offerable([tool('a')]), aside.offerable([tool('a', '中文')]).length]).toEqual([[], 1]);
  });
});
