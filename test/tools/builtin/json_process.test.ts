import { jsonProcessTool } from '../../../src/tools/builtin/json_process';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

describe('json_process (nanoclaw.data)', () => {
  const process = (json_string: string, operation: string) => bench.call(jsonProcessTool, { json_string, operation });

  it('validates, parses, formats and lists keys', async () => {
    expect((await process('{"a":1}', 'validate')).details).toEqual({ valid: true });
    expect(await process('{"a":}', 'validate')).toMatchObject({
      ok: true,
      details: { valid: false },
      content: expect.stringContaining('Not valid'),
    });
    expect((await process('[1, 2]', 'parse')).content).toBe('array: [1,2]');
    expect((await process('{"a":[1,{}],"b":{"c":"x, {y}"}}', 'format')).content).toBe(
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": {\n    "c": "x, {y}"\n  }\n}',
    );
    expect((await process('{"a":1,"__proto__":2}', 'keys')).content).toBe('["a","__proto__"]');
    expect(await process('[1]', 'keys')).toMatchObject({ ok: false, content: expect.stringContaining('array') });
  });

  it('keeps every digit and every character', async () => {
    const text = '{"n":12345678901234567890.10,"s":"\\u4f60 \\" [ ]","e":1E+2}';
    expect((await process(text, 'parse')).content).toBe(`object: ${text}`);
  });

  it.each(['parse', 'format', 'keys'])('%s fails for text that is not JSON', async operation => {
    expect((await process("{'a': 1}", operation)).ok).toBe(false);
  });

  it('refuses deep nesting and long texts, before it parses them', async () => {
    expect((await process('['.repeat(65) + ']'.repeat(65), 'parse')).content).toContain('more than 64 deep');
    expect((await process('['.repeat(900_000), 'validate')).content).toContain('more than 64 deep');
    expect((await process('['.repeat(64) + ']'.repeat(64), 'parse')).ok).toBe(true);
    expect((await process('"[[["', 'validate')).details).toEqual({ valid: true });
    await expect(process(' '.repeat(1_000_001), 'validate')).rejects.toThrow('1000000');
  });
});
