import type { ChatMessage, LlmPort, LlmRequest } from '../../../src/port/llm';
import type { AgentRunParams } from '../../../src/runtime/agent_run';
import { compactWhenNeeded } from '../../../src/runtime/compaction/compact_history';
import type { Compaction, WrittenSummary } from '../../../src/runtime/compaction/compaction_params';
import { TokenMeter } from '../../../src/runtime/compaction/token_meter';
import { TodoStore } from '../../../src/runtime/todo_store';
import { createManualClock } from '../../support/manual_clock';

const WINDOW = 10_000;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const says = (content: string): ChatMessage => ({ role: 'assistant', content });
/** About 600 tokens by bytes. */
const LONG = 'a line of text. '.repeat(112);

/** Sixteen turns, and the message of the next one. */
const longHistory = (): ChatMessage[] => [
  ...Array.from({ length: 16 }, (_, i) => [user(`${i}: ${LONG}`), says(`answer ${i}`)]).flat(),
  user('and now?'),
];

type Answer = (request: LlmRequest) => Promise<string>;

function createRun({ answer = async () => 'Beans.', count }: { answer?: Answer; count?: () => Promise<number[]> } = {}) {
  const clock = createManualClock();
  const requests: LlmRequest[] = [];
  const saved: WrittenSummary[] = [];
  const failures: unknown[] = [];
  const cancel = new AbortController();
  const history = longHistory();
  const llm: LlmPort = {
    info: { provider: 'test', model: 'test', demo: false },
    async stream(request) {
      requests.push(request);
      const content = await answer(request);
      return { message: says(content) as never, reasoning: '', finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 2 } };
    },
  };
  const countBytes = async (texts: readonly string[]) => texts.map(text => Math.ceil(Buffer.byteLength(text) / 3));
  const compaction: Compaction = {
    share: 0.75,
    meter: new TokenMeter(count ?? countBytes),
    hasFailed: false,
    save: async summary => void saved.push(summary),
    onSummaryFailed: thrown => void failures.push(thrown),
    onCountFailed: thrown => void failures.push(thrown),
  };
  const params = {
    llm,
    locale: 'en',
    systemMessage: { role: 'system', content: 'You are an agent.' },
    history,
    turnStart: history.length - 1,
    opening: user('the very first message'),
    tools: { wireTools: [], byName: new Map() },
    toolContext: { todos: new TodoStore([]) },
    limits: { maxToolIterations: 5, maxContextMessages: 400, contextTokens: WINDOW },
    signal: cancel.signal,
    clock,
    journal: { append() {}, delta() {}, record: async () => {} },
    usage: { inputTokens: 0, outputTokens: 0 },
    compaction,
  } as unknown as AgentRunParams;
  return { params, compaction, requests, saved, failures, cancel, clock };
}

it('asks for nothing in a run that has room', () => {
  const { params } = createRun();
  params.history.splice(0, 24);
  params.turnStart = params.history.length - 1;
  expect(compactWhenNeeded(params, true)).toBeUndefined();
});

it('replaces the older turns, tells the model about the opening, and counts the tokens', async () => {
  const { params, requests, saved } = createRun();
  await compactWhenNeeded(params, true);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ tools: [], thinkingLevel: 'off' });
  expect(requests[0]?.messages[1]?.content).toContain('the very first message');
  expect(saved).toMatchObject([{ text: 'Beans.', beforeTokens: expect.any(Number), messages: params.summary?.upTo }]);
  expect(params.opening).toBeUndefined();
  expect(params.history).toHaveLength(33);
  expect(params.usage).toEqual({ inputTokens: 10, outputTokens: 2 });
  expect(compactWhenNeeded(params, true)).toBeUndefined();
});

it('builds the next summary on the last one', async () => {
  const { params, requests, saved } = createRun();
  await compactWhenNeeded(params, true);
  const first = params.summary?.upTo ?? 0;
  params.history.push(...Array.from({ length: 16 }, (_, i) => [user(`later ${i}: ${LONG}`), says('fine')]).flat(), user('now?'));
  params.turnStart = params.history.length - 1;
  await compactWhenNeeded(params, true);
  expect(requests[1]?.messages[1]?.content).toMatch(/^<transcript>\n\[earlier summary\]\n {2}Beans\.\n/);
  expect(requests[1]?.messages[1]?.content).not.toContain('  0: a line');
  expect(saved[1]?.messages).toBe((params.summary?.upTo ?? 0) - first);
});

it('gives the model two minutes, then goes on without a summary and tries no other in this run', async () => {
  const asked = Promise.withResolvers<void>();
  const { params, compaction, failures, saved, clock } = createRun({
    answer: ({ signal }) => {
      asked.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const compacting = compactWhenNeeded(params, true);
  await asked.promise;
  clock.advance(120_000);
  await compacting;
  expect(failures).toMatchObject([{ message: expect.stringContaining('took too long') }]);
  expect(compaction.hasFailed).toBe(true);
  expect(saved).toEqual([]);
  expect(params.summary).toBeUndefined();
  expect(compactWhenNeeded(params, true)).toBeUndefined();
});

it('rejects with the reason of a cancel, and that is no failure of the summary', async () => {
  const { params, compaction, cancel } = createRun({
    answer: async ({ signal }) => {
      cancel.abort(new Error('cancelled'));
      throw signal.reason;
    },
  });
  await expect(compactWhenNeeded(params, true)).rejects.toThrow('cancelled');
  expect(compaction.hasFailed).toBe(false);
});

it('rejects when the summary cannot be stored, and keeps the history', async () => {
  const { params, compaction } = createRun();
  compaction.save = () => Promise.reject(new Error('another process owns the run'));
  await expect(compactWhenNeeded(params, true)).rejects.toThrow('another process owns the run');
  expect(params.summary).toBeUndefined();
});

it('goes by the estimate when the tokenizer fails', async () => {
  const { params, saved, failures } = createRun({ count: () => Promise.reject(new Error('no thread')) });
  await compactWhenNeeded(params, true);
  expect(failures.length).toBeGreaterThan(0);
  expect(saved).toHaveLength(1);
});

it('takes thoughts that were cut for no summary', async () => {
  const { params, failures, saved } = createRun({ answer: async () => '<think>First the person said' });
  await compactWhenNeeded(params, true);
  expect(saved).toEqual([]);
  expect(failures).toMatchObject([{ message: expect.stringContaining('empty') }]);
});

it('sends the parameters of the run and says that the answer is a summary, so that those for answers do not apply', async () => {
  const { params, requests } = createRun();
  params.parameters = { temperature: 1, maxOutputTokens: 5 };
  await compactWhenNeeded(params, true);
  expect(requests[0]).toMatchObject({ isSummary: true, parameters: params.parameters });
});
