/** Threads run compiled code, so these tests use the build. */
import { join } from 'node:path';
import { createCpuTaskWorker } from '../../../../src/adapter/local/workers/cpu_task_worker';
import { CpuTaskOverrun, type CpuTasks } from '../../../../src/port/cpu_tasks';
import { measureEventLoop } from '../../../support/event_loop';

const ENTRY = join(__dirname, '../../../../dist/src/adapter/local/workers/cpu_task_worker_entry.js');
const NEVER = join(__dirname, '../../../support/endless_thread.cjs');
const GREEDY = join(__dirname, '../../../support/greedy_thread.cjs');

describe('CPU task worker', () => {
  let work: CpuTasks;
  const goOn = () => new AbortController().signal;
  const reverse = (signal = goOn()) => work.run('reverseText', 'abc', signal);

  afterEach(() => work.close());

  it('runs a task without blocking the event loop', async () => {
    work = createCpuTaskWorker({ entry: ENTRY });
    const { result: reversed, busyMs } = await measureEventLoop(() => work.run('reverseText', `${'x'.repeat(200_000)}灯`, goOn()));
    expect(reversed).toBe(`灯${'x'.repeat(200_000)}`);
    expect(busyMs).toBeLessThan(250);
  });

  it('terminates a task that takes too long and runs the next', async () => {
    work = createCpuTaskWorker({ entry: NEVER, budgetMs: 50 });
    for (const _ of [1, 2, 3]) {
      const refused = reverse();
      await expect(refused).rejects.toBeInstanceOf(CpuTaskOverrun);
      await expect(refused).rejects.toMatchObject({ limit: 'time' });
    }
  });

  it('terminates a task that takes too much memory without ending the process', async () => {
    work = createCpuTaskWorker({ entry: GREEDY, budgetMs: 20_000, heapMiB: 16 });
    await expect(reverse()).rejects.toMatchObject({ limit: 'memory' });
    await work.close();
    work = createCpuTaskWorker({ entry: ENTRY });
    expect(await reverse()).toBe('cba');
  });

  it('ends a cancelled task at once, and all waiting tasks when it is closed', async () => {
    work = createCpuTaskWorker({ entry: NEVER });
    const cancel = new AbortController();
    const cancelled = reverse(cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    await expect(reverse(AbortSignal.abort(new Error('cancelled before')))).rejects.toThrow('cancelled before');
    const waiting = Promise.allSettled([reverse(), reverse(), reverse(), reverse()]);
    await work.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  });
});
