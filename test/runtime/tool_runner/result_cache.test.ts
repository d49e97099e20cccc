import { ResultCache } from '../../../src/runtime/tool_runner/result_cache';
import type { ToolRunnerParams } from '../../../src/runtime/tool_runner/runner_params';
import { errorResult, textResult } from '../../../src/tools/common';
import { aTool, runnerBench as bench, call, clock } from '../../support/runner_bench';

describe('the result cache (nanoclaw.executor)', () => {
  const cache = () => new ResultCache(clock, { ttlMs: 300_000, maxEntries: 10 });

  it('answers a repeated read until a tool writes', async () => {
    let runs = 0;
    const look = aTool('look', 'read', async () => textResult(`seen ${++runs}`));
    const { runner, ends } = bench([look, aTool('act', 'write', async () => textResult('done'))], { cache: cache() });
    for (const name of ['look', 'look', 'act', 'look']) await runner.runCalls([call(name)]);
    expect(runs).toBe(2);
    expect(ends().map(end => end['cached'] ?? false)).toEqual([false, true, false, false]);
    expect(ends()[1]).toMatchObject({ duplicate: true });
  });

  it('does not cache failures, and shares nothing with another tenant', async () => {
    let runs = 0;
    const shared = cache();
    const look = aTool('look', 'read', async () => (++runs === 1 ? errorResult('no') : textResult('yes')));
    const first = bench([look], { cache: shared });
    await first.runner.runCalls([call('look')]);
    await first.runner.runCalls([call('look')]);
    expect(runs).toBe(2);
    const toolContext = { tenantId: 'other', locale: 'en' } as unknown as ToolRunnerParams['toolContext'];
    await bench([look], { cache: shared, toolContext }).runner.runCalls([call('look')]);
    expect(runs).toBe(3);
  });

  it('keeps results when a tool of another tenant writes, unless tenants may share what it changes', async () => {
    let runs = 0;
    const shared = cache();
    const tools = [
      aTool('look', 'read', async () => textResult(`seen ${++runs}`)),
      aTool('act', 'write', async () => textResult('done')),
      { ...aTool('send', 'write', async () => textResult('done')), origin: 'code' as const },
    ];
    const mine = bench(tools, { cache: shared });
    const toolContext = { tenantId: 'other', locale: 'en' } as unknown as ToolRunnerParams['toolContext'];
    const theirs = bench(tools, { cache: shared, toolContext });
    const seen = [];
    for (const name of ['look', 'act', 'send']) {
      await theirs.runner.runCalls([call(name)]);
      await mine.runner.runCalls([call('look')]);
      seen.push(runs);
    }
    expect(seen).toEqual([2, 2, 3]);
  });

  it('drops a result after its TTL', async () => {
    let now = 0;
    let runs = 0;
    const look = aTool('look', 'read', async () => textResult(`seen ${++runs}`));
    const { runner } = bench([look], { cache: new ResultCache({ ...clock, now: () => now }, { ttlMs: 300_000, maxEntries: 10 }) });
    for (const at of [0, 299_999, 300_000]) {
      now = at;
      await runner.runCalls([call('look')]);
    }
    expect(runs).toBe(2);
  });

  it('evicts the oldest result when it is full', async () => {
    let runs = 0;
    const look = aTool('look', 'read', async () => textResult(`${++runs}`.padEnd(40, '.')));
    const { runner } = bench([look], { cache: new ResultCache(clock, { ttlMs: 300_000, maxEntries: 10, maxLength: 100 }) });
    for (const value of [1, 2, 3, 3, 1]) await runner.runCalls([call('look', { value })]);
    expect(runs).toBe(4);
  });

  it('keeps 1,000 results by default and evicts the least recently used one', async () => {
    const runs: number[] = [];
    const look = aTool('look', 'read', async args => {
      runs.push((args as { value: number }).value);
      return textResult('seen');
    });
    const { runner } = bench([look], { cache: new ResultCache(clock, { ttlMs: 300_000 }) });
    const ask = (value: number) => runner.runCalls([call('look', { value })]);
    for (let value = 1; value <= 1_000; value++) await ask(value);
    await ask(1);
    expect(runs).toHaveLength(1_000);
    await ask(1_001);
    for (const value of [1, 3, 1_001, 2]) await ask(value);
    expect(runs.slice(1_000)).toEqual([1_001, 2]);
  });

  it('does not answer a newer version of a tool with the result of an older one', async () => {
    const shared = cache();
    for (const version of ['1', '2', '2']) {
      const look = { ...aTool('look', 'read', async () => textResult(`by version ${version}`)), version };
      const [outcome] = await bench([look], { cache: shared }).runner.runCalls([call('look')]);
      expect(outcome?.message.content).toBe(`by version ${version}`);
    }
    const { runner, ends } = bench([aTool('look', 'read', async () => textResult('new'))], { cache: shared });
    await runner.runCalls([call('look')]);
    expect(ends()).toMatchObject([{ cached: true, result: 'by version 1' }]);
  });

  it('marks a result as duplicate only in a session that has seen it', async () => {
    const shared = cache();
    const look = aTool('look', 'read', async () => textResult('seen'));
    const inSession = async (sessionId: string) => {
      const toolContext = { tenantId: 'default', sessionId, locale: 'en' } as unknown as ToolRunnerParams['toolContext'];
      const { runner, ends } = bench([look], { cache: shared, toolContext });
      const [outcome] = await runner.runCalls([call('look')]);
      return [outcome?.message.content, ends()[0]?.['cached'], ends()[0]?.['duplicate']];
    };
    expect(await inSession('ses_old')).toEqual(['seen', undefined, undefined]);
    expect(await inSession('ses_old')).toEqual(['seen', true, true]);
    expect(await inSession('ses_new')).toEqual(['seen', true, undefined]);
    expect(await inSession('ses_new')).toEqual(['seen', true, true]);
  });

  it('can be turned off', async () => {
    let runs = 0;
    const look = aTool('look', 'read', async () => textResult(`seen ${++runs}`));
    const { runner } = bench([look], { cache: new ResultCache(clock, { ttlMs: 0, maxEntries: 10 }) });
    await runner.runCalls([call('look')]);
    await runner.runCalls([call('look')]);
    expect(runs).toBe(2);
  });
});
