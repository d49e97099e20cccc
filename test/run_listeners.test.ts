/** The order in which a run tells the parts around it. What each part does then is tested through the doors. */
import type { StoreTransaction } from '../src/port/store/store';
import { listRunListeners } from '../src/run_listeners';
import { RunHooks } from '../src/service/run_log/run_hooks';

const RUN = { tenantId: 'acme', id: 'run_1', sessionId: 'ses_1', door: 'job' };
const END = { status: 'failed', error: undefined, now: 1 };

let calls: string[] = [];
/** Its methods note that they are called. */
const watched = (name: string): object =>
  new Proxy({}, { get: (_, method) => (): Promise<void> => Promise.resolve(void calls.push(`${name}.${String(method)}`)) });
const names = ['dayBudgets', 'runActivity', 'toolCounts', 'outbox', 'searchIndexer', 'usageRollUp'];
const parts = Object.fromEntries(names.map(name => [name, watched(name)])) as unknown as Parameters<typeof listRunListeners>[0];
const hooks = new RunHooks(listRunListeners(parts));
const tx = { jobs: watched('tx.jobs') } as StoreTransaction;

beforeEach(() => {
  calls = [];
});

const ORDER: [Exclude<keyof RunHooks, 'add'>, unknown[], string[]][] = [
  ['opened', [RUN, {}], ['dayBudgets.addRun']],
  ['numbered', [RUN, [], 1], ['runActivity.noteEvents', 'toolCounts.recordEvents']],
  ['waiting', [tx, RUN], ['outbox.addWait']],
  ['ending', [tx, RUN, END], ['tx.jobs.ofRun', 'outbox.addEnd']],
  ['committed', [], ['outbox.flush']],
  ['ended', [], ['searchIndexer.scheduleIndexing', 'usageRollUp.schedule']],
  ['closed', [RUN], ['dayBudgets.removeRun', 'runActivity.removeRun']],
];

it.each(ORDER)('a run tells the parts that listen to %s in their order', async (moment, told, expected) => {
  for (const tell of hooks[moment] as readonly ((...told: unknown[]) => unknown)[]) await tell(...told);
  expect(calls).toEqual(expected);
});

it('the end of a run that no job started executes no statement for jobs, and makes no promise', () => {
  const [endOfJob] = hooks.ending;
  expect(endOfJob?.(tx, { ...RUN, door: 'rest' } as never, END as never)).toBeUndefined();
  expect(calls).toEqual([]);
});
