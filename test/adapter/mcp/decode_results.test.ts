import { decodeCallResult } from '../../../src/adapter/mcp/decode_results';
import { cpuTime } from '../../support/cpu_time';

const sizeOf = (data: string) => decodeCallResult({ content: [{ type: 'image', mimeType: 'image/png', data }] }).content[0];

it.each([
  ['aGVsbG8=', 5],
  ['aGVsbA==', 4],
  ['aGVs', 3],
  ['', 0],
])('counts the bytes of %j', (data, bytes) => {
  expect(sizeOf(data)).toMatchObject({ bytes });
});

it('counts the bytes of base64 that is full of padding in little time', () => {
  const started = cpuTime();
  sizeOf(`${'='.repeat(300_000)}x`);
  expect(cpuTime() - started).toBeLessThan(1_000);
});

it('leaves out structured content that is nested too deeply', () => {
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 50_000; level += 1) deep = { deep };
  expect(decodeCallResult({ content: [], structuredContent: deep })).toEqual({ isError: false, content: [] });
});
