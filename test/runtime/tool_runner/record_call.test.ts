import { createObserver } from '../../../src/adapter/local/node/observer';
import type { EndedWork } from '../../../src/port/observer';
import type { ApprovalGate } from '../../../src/runtime/approval/approval_gate';
import type { ToolRunnerParams } from '../../../src/runtime/tool_runner/runner_params';
import { errorResult, textResult } from '../../../src/tools/common';
import { aTool, call, clock, runnerBench } from '../../support/runner_bench';

type EndedCall = Extract<EndedWork, { kind: 'tool_call' }>;
const run = { runId: 'run_1', sessionId: 'ses_1', tenantId: 'default', door: 'rest', agent: 'default' } as const;

const tools = [
  aTool('look', 'read', async () => textResult('seen')),
  aTool('fail', 'write', async () => errorResult('it failed')),
  aTool('hang', 'write', async () => ({ ...errorResult('too slow'), isTimeout: true })),
  aTool('danger', 'external', async () => textResult('done')),
];

/** Asks about `danger`, and gets a no. */
const gate = {
  policy: {
    isIsolated: true,
    judge: ({ tool }) => (tool.name === 'danger' ? { decision: 'ask', reason: { en: 'why', 'zh-CN': '为什么' } } : { decision: 'allow' }),
  },
  ask: async () => ({ status: 'denied' }),
} as ApprovalGate;

function observed(more: Partial<ToolRunnerParams> = {}) {
  const ends: EndedCall[] = [];
  const observer = createObserver({ clock, onError: () => {} });
  observer.listen({ workEnded: work => void (work.kind === 'tool_call' && ends.push(work)) });
  const { runner } = runnerBench(tools, { observation: { observer, run }, approval: gate, ...more });
  return { runner, outcomes: () => ends.map(({ begun, ended }) => [begun.tool, ended.outcome]), ends };
}

describe('the observation of tool calls', () => {
  it('tells of each call how it ended', async () => {
    const { runner, outcomes, ends } = observed();
    const calls = ['look', 'look', 'fail', 'hang', 'danger', 'ghost'].map(name => call(name));
    await runner.runCalls([...calls, call('look', { value: 'text' })]);
    expect(outcomes()).toEqual([
      ['look', 'ok'],
      ['look', 'duplicate'],
      ['fail', 'error'],
      ['hang', 'timeout'],
      ['danger', 'denied'],
      ['ghost', 'invalid_args'],
      ['look', 'invalid_args'],
    ]);
    expect(ends[0]?.begun).toMatchObject({ run, tenantId: 'default', tool: 'look', toolset: 'base', origin: 'builtin' });
    expect(ends[0]?.ended).toEqual({ outcome: 'ok', resultBytes: 4, isTruncated: false, retries: 0, isFromCache: false, content: 'seen' });
    expect(ends[5]?.begun.toolset).toBeUndefined();
  });

  it('tells that a call was cancelled with its run', async () => {
    const { runner, outcomes } = observed({ signal: AbortSignal.abort() });
    await runner.runCalls([call('fail')]);
    expect(outcomes()).toEqual([['fail', 'cancelled']]);
  });
});
