import type { WireTool } from '../../../src/port/llm';
import { ToolsAside } from '../../../src/service/model/tools_aside';

const tool = (name: string, description = 'x'): WireTool => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: {} } },
});

describe('ToolsAside', () => {
  test('leaves the named tools out, and gives the same list for the same list', () => {
    const aside = new ToolsAside();
    const tools = [tool('a'), tool('b')];
    expect(aside.offerable(tools)).toBe(tools);
    expect(aside.putAside(['b', 'other'], tools, 'Bad.')).toBe(true);
    expect(aside.offerable(tools).map(({ function: { name } }) => name)).toEqual(['a']);
    expect(aside.offerable(tools)).toBe(aside.offerable(tools));
    expect(aside.list()).toEqual([{ tool: 'b', reason: 'Bad.' }]);
    expect(aside.putAside(['other'], tools, 'Bad.')).toBe(false);
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
