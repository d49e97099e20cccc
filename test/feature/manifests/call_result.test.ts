import { describeEnd, describeStop, noUsableAnswer, toFailure, toToolResult } from '../../../src/feature/manifests/call_result';
import { readOutputLine } from '../../../src/feature/manifests/tool_answer';
import type { ToolProcessEnd } from '../../../src/port/tool_processes';
import { ToolTimeout } from '../../../src/tools/tool_timeout';
import type { Bilingual } from '../../../src/utils/bilingual';
import { expectChinese } from '../../support/chinese';

const MIB = 1024 * 1024;
const called = { manifest: { name: 'ocr', network: false }, command: { name: 'scan', effect: 'write' as const } };
const ended = (more: Partial<ToolProcessEnd>) => describeEnd({ exitCode: null, ...more } as ToolProcessEnd, 64 * MIB);
const stopped = (reason?: unknown) => describeStop(AbortSignal.abort(reason));
const badLine = (line: string): Bilingual => {
  const read = readOutputLine(line);
  if (read.kind !== 'invalid') throw new Error(`${line} is ${read.kind}.`);
  return noUsableAnswer(read.problem);
};

it.each<[reason: Bilingual, english: RegExp]>([
  [ended({ killed: 'memory_limit' }), /used more than 64 MiB/],
  [ended({ killed: 'output_limit' }), /wrote more than 16 MiB/],
  [ended({ killed: 'process_limit' }), /too many processes/],
  [ended({ limit: 'cpu' }), /processor time/],
  [ended({ limit: 'file_size' }), /a file that is too large/],
  [ended({}), /ended by a signal/],
  [ended({ exitCode: 3 }), /exit code 3/],
  [stopped(new ToolTimeout('late', 500)), /time limit of 500 ms/],
  [stopped(), /was stopped/],
  [badLine('{"id":"a","status":"done"}'), /field status/],
  [badLine(`{"id":"a","status":"success","base64":"${'ü'.repeat(2 * MIB)}"}`), /not base64/],
  [badLine(`{"id":"a","text":"${'x'.repeat(2 * MIB)}"}`), /more than 1 MiB besides base64/],
])('a call without an answer is told in the language of its run: %s', (reason, english) => {
  const failureIn = (locale: 'en' | 'zh-CN') => toFailure(reason, { ...called, ctx: { locale } }).content;
  expect(failureIn('en')).toMatch(english);
  expect(failureIn('en')).toMatch(/^ocr .* Part of its work may be done already\.$/);
  expectChinese(failureIn('zh-CN'));
});

it.each([
  [{ status: 'error' }, 'ocr failed and gave no reason.', 'ocr 失败，没有说明原因。'],
  [{ status: 'success' }, 'Done.', '完成。'],
  [{ status: 'success', base64: 'AAAA' }, '[a binary result of 3 B went to the caller]', '[3 B 的二进制结果已交给调用方]'],
] as const)('an answer without words has words in the language of its run: %j', (answer, en, zhCN) => {
  const contentIn = (locale: 'en' | 'zh-CN') => toToolResult(answer, called, { locale }).content;
  expect([contentIn('en'), contentIn('zh-CN')]).toEqual([en, zhCN]);
});
