import { textProcessTool } from '../../../src/tools/builtin/text_process';
import { cpuTime } from '../../support/cpu_time';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

describe('text_process (nanoclaw.data)', () => {
  const process = async (text: string, operation: string) => (await bench.call(textProcessTool, { text, operation })).content;

  it('counts characters as a reader sees them', async () => {
    expect(await process('héllo 👨‍👩‍👧 wörld\n第二行\n', 'count')).toBe('18 characters, 4 words, 2 lines, 43 bytes');
    expect(await process('a\r\nb\rc\n', 'lines')).toBe('3 lines');
    expect(await process('', 'lines')).toBe('0 lines');
    expect(await process("don't stop, 你好", 'words')).toBe('3 words');
  });

  it('converts and reverses without splitting characters', async () => {
    expect(await process('a👨‍👩‍👧é🇨🇳', 'reverse')).toBe('🇨🇳é👨‍👩‍👧a');
    expect(await process('aß', 'upper')).toBe('ASS');
    expect(await process('ÄB', 'lower')).toBe('äb');
  });

  it('refuses long texts and unknown operations', async () => {
    await expect(process('x'.repeat(100_001), 'count')).rejects.toThrow('100000');
    await expect(process('x', 'shuffle')).rejects.toThrow('reverse');
  });

  it('measures the longest text fast enough', async () => {
    const startedAt = cpuTime();
    await process('你好 world '.repeat(11_000), 'count');
    expect(cpuTime() - startedAt).toBeLessThan(1_500);
  });
});
