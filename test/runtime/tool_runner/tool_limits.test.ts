/** Argument repair, duplicate calls, retries, loop detection and truncation around a tool call. */

import fc from 'fast-check';
import type { ApprovalGate } from '../../../src/runtime/approval/approval_gate';
import { callKey } from '../../../src/runtime/call_key';
import { assembleTools } from '../../../src/runtime/tool_assembler';
import { parseArguments, repairName } from '../../../src/runtime/tool_runner/argument_repair';
import { LoopDetector } from '../../../src/runtime/tool_runner/loop_detector';
import { OutputLimiter } from '../../../src/runtime/tool_runner/output_limiter';
import { resolveCall } from '../../../src/runtime/tool_runner/resolve_call';
import { ResultCache } from '../../../src/runtime/tool_runner/result_cache';
import { type AgentTool, textResult } from '../../../src/tools/common';
import { aTool, runnerBench as bench, call, clock, instantly } from '../../support/runner_bench';

describe('a call with small mistakes', () => {
  const tools = assembleTools(
    [aTool('read_file', 'read', async () => textResult('')), aTool('write_file', 'write', async () => textResult(''))],
    { toolsets: ['base'] },
    'en',
  );

  it('finds the tool by a misspelled name, among the tools of this run only', () => {
    expect(repairName('Read-File', { names: ['read_file', 'bash'] })).toBe('read_file');
    expect(repairName('readfil', { names: ['read_file', 'bash'] })).toBe('read_file');
    expect(repairName('delete_everything', { names: ['read_file', 'bash'] })).toBeUndefined();
    expect(repairName('bas', { names: ['bash'] })).toBeUndefined();
    expect(repairName('tool_x', { names: ['tool_a', 'tool_b'] })).toBeUndefined();
  });

  it.each([
    ['gmail__send_email', ['gmail__read_email'], undefined],
    ['Gmail-Send-Email', ['gmail__read_email'], undefined],
    ['redis_set', ['redis_get'], undefined],
    ['redis_sett', ['redis_get'], undefined],
    ['create_item', ['create_items'], undefined],
    ['redis_gett', ['redis_get'], undefined],
    ['Redis-Get', ['redis_get'], 'redis_get'],
    ['gmail__reed_emai', ['gmail__read_email'], 'gmail__read_email'],
  ])('reads %s as no other tool when a tool exists that it may mean, among %j', (name, names, meant) => {
    const existing = ['gmail__send_email', 'gmail__read_email', 'redis_get', 'redis_set', 'create_item', 'create_items'];
    expect(repairName(name, { names, existing })).toBe(meant);
  });

  it.each([
    ['functions_write_file', 'write_file'],
    ['default_api_write_file', 'write_file'],
    ['tools_bash', 'bash'],
    ['write_file__channel__commentary', 'write_file'],
    ['write_filecommentary', 'write_file'],
    ['functions_write_file__channel__commentary_json', 'write_file'],
    ['tool_search', 'tool_search'],
    ['functions_delete_file', undefined],
    // A tool of another run has this name.
    ['functions_list', undefined],
  ])('finds the tool without the words of a template: %s', (name, meant) => {
    const names = ['write_file', 'bash', 'tool_search', 'search', 'list'];
    expect(repairName(name, { names, existing: ['Functions-List'] })).toBe(meant);
  });

  it('reads arguments that stand in a block of code', () => {
    const args = { value: 1 };
    expect(resolveCall(call('write_file', '```json\n{"value":1}\n```'), tools)).toMatchObject({ args });
    expect(resolveCall(call('write_file', '```\n{"value":1}```'), tools).refusal).toBeUndefined();
    expect(resolveCall(call('write_file', '```json\n{"value":1\n```'), tools).refusal?.content).toContain('not valid JSON');
  });

  it('runs a read with repaired JSON, and asks the model to resend a write', () => {
    expect(resolveCall(call('read_file', '{value: 1,}'), tools)).toMatchObject({ name: 'read_file', args: { value: 1 } });
    expect(resolveCall(call('read_file', '{value: 1,}'), tools).refusal).toBeUndefined();
    expect(resolveCall(call('write_file', '{value: 1,}'), tools).refusal?.content).toContain('send the call again');
    expect(resolveCall(call('write_file', 'just words'), tools).refusal?.content).toContain('not valid JSON');
  });

  it.each([
    '{"path":"a","items":[{"x":1}',
    '{"value":1,"more":{"a":2}',
    '{value: [1, 2}',
    '{"text":"it was cut here }',
    '{"text":"cut after an escape \\"}',
  ])('is given back when its JSON was cut: %s', text => {
    expect(parseArguments(text)).toMatchObject({ ok: false });
    expect(resolveCall(call('read_file', text), tools).refusal?.content).toContain('not valid JSON');
  });

  it('does not throw on any arguments', () => {
    fc.assert(fc.property(fc.string(), text => void parseArguments(text)));
  });
});

describe('a repeated call (nanoclaw.executor)', () => {
  it('runs once within an attempt when it only reads, and each call gets the whole result', async () => {
    let runs = 0;
    const { runner, ends } = bench([aTool('look', 'read', async () => textResult(`seen ${++runs}`))]);
    const outcomes = await runner.runCalls([call('look', { value: 1 }), call('look', { value: 1 }), call('look', { value: 2 })]);
    expect(outcomes.map(outcome => outcome.message.content)).toEqual(['seen 1', 'seen 1', 'seen 2']);
    expect(ends().filter(end => end['duplicate'])).toHaveLength(1);
  });

  it('runs every time when it writes', async () => {
    let runs = 0;
    const { runner } = bench([aTool('act', 'write', async () => textResult(`done ${++runs}`))]);
    await runner.runCalls([call('act'), call('act')]);
    expect(runs).toBe(2);
  });

  it('runs again after a change, within the same attempt too', async () => {
    let text = 'before';
    const look = aTool('look', 'read', async () => textResult(text));
    const act = aTool('act', 'write', async () => {
      text = 'after';
      return textResult('done');
    });
    const { runner, ends } = bench([look, act], { cache: new ResultCache(clock, { ttlMs: 300_000, maxEntries: 10 }) });
    const outcomes = await runner.runCalls([call('look'), call('act'), call('look')]);
    expect(outcomes.map(outcome => outcome.message.content)).toEqual(['before', 'done', 'after']);
    expect(ends().map(end => end['duplicate'] ?? end['cached'] ?? false)).toEqual([false, false, false]);
  });

  it('is recognised in any order of its arguments', () => {
    expect(callKey('a', { x: 1, y: { b: 1, a: 2 } })).toBe(callKey('a', { y: { a: 2, b: 1 }, x: 1 }));
    expect(callKey('a', { x: 1 })).not.toBe(callKey('b', { x: 1 }));
  });
});

describe('a failing call (nanoclaw.executor)', () => {
  it.each([1, 5])('is tried %i times when the settings say so', async maxTries => {
    let runs = 0;
    const fails = aTool('look', 'read', async () => {
      runs += 1;
      return { ok: false, content: 'away', isRetryable: true };
    });
    const { runner } = bench([fails], { retries: { maxTries, retryMs: 0 } });
    await runner.runCalls([call('look')]);
    expect(runs).toBe(maxTries);
  });

  const failingTwice = (effect: AgentTool['effect']) => {
    let runs = 0;
    const tool = aTool('flaky', effect, async () => {
      if (++runs < 3) throw new Error('not now');
      return textResult('at last');
    });
    return { tool, runs: () => runs };
  };

  it.each<AgentTool['effect']>(['read', 'idempotent'])('is tried up to three times when its effect is %s', async effect => {
    const { tool, runs } = failingTwice(effect);
    const [outcome] = await bench([tool]).runner.runCalls([call('flaky')]);
    expect(outcome?.message.content).toBe('at last');
    expect(runs()).toBe(3);
  });

  it.each([
    [0, [100, 200]],
    [0.5, [200, 400]],
    [1, [300, 600]],
  ])('waits before it is tried again, twice as long the second time, spread by chance (%d)', async (chance, waits) => {
    const waited: number[] = [];
    const noting = {
      ...clock,
      after: (milliseconds: number, callback: () => void) => {
        if (milliseconds < 10_000) waited.push(milliseconds);
        return instantly(milliseconds, callback);
      },
    };
    await bench([failingTwice('read').tool], { clock: noting, random: () => chance }).runner.runCalls([call('flaky')]);
    expect(waited).toEqual(waits);
  });

  it.each<AgentTool['effect']>(['write', 'external'])('is never repeated when its effect is %s', async effect => {
    const { tool, runs } = failingTwice(effect);
    const [outcome] = await bench([tool]).runner.runCalls([call('flaky')]);
    expect(outcome?.message.content).toContain('not now');
    expect(runs()).toBe(1);
  });
});

describe('loop detection', () => {
  it('hints at the third equal result and blocks the fifth call, also when two calls alternate', async () => {
    let runs = 0;
    const tools = [
      aTool('a', 'write', async () => {
        runs += 1;
        return textResult('same');
      }),
      aTool('b', 'write', async () => textResult('same')),
    ];
    const { runner } = bench(tools);
    const contents: string[] = [];
    for (let i = 0; i < 5; i++) {
      for (const name of ['a', 'b']) contents.push((await runner.runCalls([call(name)]))[0]?.message.content ?? '');
    }
    expect(contents.slice(0, 4).join()).not.toContain('Repeating');
    expect(contents[4]).toContain('Repeating it will not change that');
    expect(contents[8]).toContain('Not run');
    expect(runs).toBe(4);
  });

  it('counts invalid calls too, whatever their arguments are', async () => {
    const { runner } = bench([aTool('look', 'read', async () => textResult('seen'))]);
    const wrong: [name: string, args: string][] = [
      ['look', '{"value":"one"}'],
      ['look', 'just words '.repeat(20_000)],
      ['gone', JSON.stringify({ list: Array(60_000).fill(1) })],
    ];
    for (const [name, args] of wrong) {
      const contents: string[] = [];
      for (let i = 0; i < 5; i++) contents.push((await runner.runCalls([call(name, args)]))[0]?.message.content ?? '');
      expect(contents[1]).not.toContain('Repeating');
      expect(contents[2]).toContain('Repeating it will not change that');
      expect(contents[4]).toMatch(/^Not run: this exact call has given the same result 4 times/);
    }
    expect((await runner.runCalls([call('look', '{"value":"two"}')]))[0]?.message.content).not.toContain('exact call');
  });

  it('does not ask for approval of a call that is blocked anyway', async () => {
    let runs = 0;
    const asked: unknown[] = [];
    const approval: ApprovalGate = {
      policy: {
        isIsolated: true,
        judge: () => ({ decision: 'ask', reason: { en: 'Why.', 'zh-CN': 'Why.' }, sessionScope: 'exact', grant: 'exact' }),
      },
      ask: async ({ args }) => {
        asked.push(args);
        return { status: 'allowed' };
      },
    };
    const act = aTool('act', 'write', async () => {
      runs += 1;
      return textResult('same');
    });
    const { runner } = bench([act], { approval });
    for (let i = 0; i < 6; i++) await runner.runCalls([call('act')]);
    await runner.runCalls([call('act', { value: 1 })]);
    expect([runs, asked.length]).toEqual([5, 5]);
  });

  it('compares the comparable text of a result, so that the duration of a command makes no difference', async () => {
    let runs = 0;
    const act = aTool('act', 'write', async () => ({ ...textResult(`Exit code 1 (3.${runs++} s)`), comparable: 'exit 1' }));
    const { runner } = bench([act]);
    const contents: string[] = [];
    for (let i = 0; i < 3; i++) for (const { message } of await runner.runCalls([call('act')])) contents.push(message.content);
    expect(contents).toEqual(['Exit code 1 (3.0 s)', 'Exit code 1 (3.1 s)', expect.stringContaining('3 times')]);
  });

  it('never blocks a call whose results differ', () => {
    const detector = new LoopDetector();
    for (let i = 0; i < 20; i++) expect(detector.recordResult('key', `result ${i}`)).toBeUndefined();
    expect(detector.blockReason('key')).toBeUndefined();
  });
});

describe('long results', () => {
  it('are truncated for the model, and the whole result is stored in a file', async () => {
    const kept = new Map<string, string>();
    const limiter = new OutputLimiter(
      async (id, text) => {
        kept.set(id, text);
        return `.neta/results/${id}.txt`;
      },
      { locale: 'en' },
    );
    const whole = 'x'.repeat(150_000);
    const fitted = await limiter.truncate('one', whole);
    expect(fitted.length).toBeLessThanOrEqual(100_000);
    expect(fitted).toContain('.neta/results/one.txt');
    expect(kept.get('one')).toBe(whole);
    expect((await limiter.truncate('two', whole)).length).toBeLessThanOrEqual(100_000);
    expect((await limiter.truncate('three', whole)).length).toBeLessThanOrEqual(2_000);
  });

  it('say so when the rest could not be stored', async () => {
    const fitted = await new OutputLimiter(async () => undefined, { locale: 'en' }).truncate('one', 'x'.repeat(150_000));
    expect(fitted).toMatch(/characters left out.*The rest was not kept: ask for a smaller part\.\]$/s);
    expect(fitted.length).toBeLessThanOrEqual(100_000);
  });
});

describe('an answer whose question was handed over before an interruption (neta.clarify.degraded)', () => {
  it('does not run the other open calls', async () => {
    const ran: string[] = [];
    const writes = aTool('write', 'write', async () => {
      ran.push('write');
      return textResult('written');
    });
    const { runner, ends } = bench([writes]);
    const [outcome] = await runner.runCalls([call('write')], { isTurnOver: true });
    expect(outcome?.message.content).toMatch(/^Not run: your question/);
    expect(ends()).toMatchObject([{ name: 'write', ok: false }]);
    expect(ran).toEqual([]);
  });
});
