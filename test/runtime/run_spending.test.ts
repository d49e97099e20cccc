/** The budget of a run holds whatever the model does: a property over random turns, and the sharing among child runs. */
import fc from 'fast-check';
import type { LlmPort, Usage } from '../../src/port/llm';
import { runAgent } from '../../src/runtime/agent';
import type { AgentRunParams } from '../../src/runtime/agent_run';
import { type RunBudget, RunSpending } from '../../src/runtime/run_spending';
import { assembleTools } from '../../src/runtime/tool_assembler';
import { textResult } from '../../src/tools/common';
import { toNanoDollars } from '../../src/utils/dollars';
import { aTool, call, clock } from '../support/runner_bench';

interface Answer {
  usage: Usage;
  /** Tool calls that the model asks for; 0 ends the turn. */
  calls: number;
}

/** Runs a turn in which the model gives these answers, then `done`. */
async function runTurn(budget: RunBudget, answers: readonly Answer[]) {
  const offered: boolean[] = [];
  let executed = 0;
  const tool = aTool('look', 'write', async () => {
    executed += 1;
    return textResult('seen');
  });
  const llm: LlmPort = {
    info: { provider: 'test', model: 'test', demo: false },
    async stream({ tools }) {
      const { usage, calls } = answers[offered.length] ?? { usage: { inputTokens: 0, outputTokens: 0 }, calls: 0 };
      offered.push(tools.length > 0);
      const asked = Array.from({ length: tools.length > 0 ? calls : 0 }, (_, value) =>
        call('look', { value: value + 1000 * offered.length }),
      );
      const message = { role: 'assistant' as const, content: 'done', ...(asked.length > 0 && { tool_calls: asked }) };
      return { message, reasoning: '', finishReason: 'stop', usage };
    },
  };
  const spending = new RunSpending({ budget });
  const usage: Usage = { inputTokens: 0, outputTokens: 0 };
  const params = {
    llm,
    thinkingLevel: 'off',
    locale: 'en',
    systemMessage: { role: 'system', content: 'You test.' },
    history: [{ role: 'user', content: 'Go.' }],
    turnStart: 0,
    tools: assembleTools([tool], { toolsets: ['base'] }, 'en'),
    toolContext: { tenantId: 'default', sessionId: 'ses_1', locale: 'en' },
    limits: { maxToolIterations: 100, maxContextMessages: 1_000, contextTokens: 1_000_000 },
    signal: new AbortController().signal,
    journal: { delta() {}, append() {}, async record() {} },
    usage,
    spending,
    clock,
    ids: { next: (prefix: string) => `${prefix}_${Math.random()}` },
  } as unknown as AgentRunParams;
  const outcome = await runAgent(params);
  return { outcome, offered, executed, usage };
}

const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;
const answer = fc.record({
  usage: fc.record({
    inputTokens: fc.nat(500),
    outputTokens: fc.nat(200),
    costUsd: fc.nat(2_000_000).map(nanos => nanos / 1e9),
  }),
  calls: fc.integer({ min: 0, max: 3 }),
});
const budget = fc.record(
  {
    maxTokens: fc.integer({ min: 1, max: 2_000 }),
    maxCostUsd: fc.integer({ min: 1, max: 6_000_000 }).map(nanos => nanos / 1e9),
    maxToolCalls: fc.nat(6),
  },
  { requiredKeys: [] },
);

it('makes no call after the budget is used up and runs no more tools than allowed, whatever the model does', async () => {
  await fc.assert(
    fc.asyncProperty(budget, fc.array(answer, { maxLength: 12 }), async (limits, answers) => {
      const { outcome, offered, executed, usage } = await runTurn(limits, answers);
      const {
        maxTokens = Number.POSITIVE_INFINITY,
        maxCostUsd = Number.POSITIVE_INFINITY,
        maxToolCalls = Number.POSITIVE_INFINITY,
      } = limits;
      const before = answers.slice(0, Math.max(0, offered.length - 1)).map(given => given.usage);
      expect(before.reduce((sum, given) => sum + tokensOf(given), 0)).toBeLessThan(Math.max(1, maxTokens));
      expect(before.reduce((sum, given) => sum + toNanoDollars(given.costUsd ?? 0), 0)).toBeLessThan(
        Math.max(1, toNanoDollars(maxCostUsd)),
      );
      expect(executed).toBeLessThanOrEqual(maxToolCalls);
      const isOver =
        tokensOf(usage) >= maxTokens || toNanoDollars(usage.costUsd ?? 0) >= toNanoDollars(maxCostUsd) || executed >= maxToolCalls;
      if (outcome.status === 'incomplete') expect([outcome.reason, isOver]).toEqual(['budget', true]);
      else expect(outcome.text).toBe('done');
      expect(outcome.text).not.toBe('');
    }),
    { numRuns: 300 },
  );
});

it('gives child runs that begin together equal parts, and never more than what is left', () => {
  const spending = new RunSpending({ budget: { maxTokens: 1_000, maxToolCalls: 10 } });
  spending.addCall('', { inputTokens: 100, outputTokens: 0 });
  const first = spending.shareForChild(2, 0.1);
  expect(first).toEqual({ maxTokens: 405, maxToolCalls: 4 });
  const release = spending.reserve(first ?? {});
  expect(spending.shareForChild(1, 0.1)).toEqual({ maxTokens: 445, maxToolCalls: 5 });
  release();
  spending.addChild({ inputTokens: 880, outputTokens: 0 }, 3);
  expect(spending.shareForChild(1, 0.1)).toEqual({ maxTokens: 18, maxToolCalls: 6 });
  spending.addChild({ inputTokens: 20, outputTokens: 0 }, 0);
  expect(spending.shareForChild(1, 0.1)).toBeUndefined();
});

it('shares nothing when nothing is limited', () => {
  expect(new RunSpending({ budget: {} }).shareForChild(4, 0.1)).toEqual({});
});
