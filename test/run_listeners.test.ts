/** The order in which a run tells the parts around it. What each part does then is tested through the doors. */
import { listRunListeners } from '../src/run_listeners';
import { RunHooks } from '../src/service/run_log/run_hooks';

const RUN = { tenantId: 'acme', id: 'run_1', sessionId: 'ses_1', door: 'job' };

let calls: string[] = [];
/** Its methods note that they are called. */
const watched = (name: string): object =>
  new Proxy({}, { get: (_, method) => (): Promise<void> => Promise.resolve(void calls.push(`${name}.${String(method)}`)) });
const names = ['dayBudgets', 'toolCounts', 'usageRollUp', 'sessionWatch'];
const parts = Object.fromEntries(names.map(name => [name, watched(name)])) as unknown as Parameters<typeof listRunListeners>[0];
const hooks = new RunHooks(listRunListeners(parts));

beforeEach(() => {
  calls = [];
});

const ORDER: [Exclude<keyof RunHooks, 'add'>, unknown[], string[]][] = [
  ['opened', [RUN, {}], ['dayBudgets.addRun', 'sessionWatch.noteChange']],
  ['numbered', [RUN, [], 1], ['toolCounts.recordEvents', 'sessionWatch.noteEvents']],
  ['ended', [], ['usageRollUp.schedule']],
  ['closed', [RUN], ['dayBudgets.removeRun', 'sessionWatch.noteChange']],
];

it.each(ORDER)('a run tells the parts that listen to %s in their order', async (moment, told, expected) => {
  for (const tell of hooks[moment] as readonly ((...told: unknown[]) => unknown)[]) await tell(...told);
  expect(calls).toEqual(expected);
});
