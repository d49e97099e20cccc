import { setTimeout as wait } from 'node:timers/promises';
import { monitorEventLoop } from '../../src/adapter/local/node/event_loop_monitor';

/** Longer than the monitor's interval, so that the monitor also measures the end of the work. */
const LAST_MEASURE_MS = 50;

/**
 * Runs `work` and resolves with its result and the longest time that it blocked the event loop, in milliseconds of this thread's CPU time.
 * CPU time does not count the work of other programs on the machine.
 */
export async function measureEventLoop<T>(work: () => Promise<T>): Promise<{ result: T; busyMs: number }> {
  const monitor = monitorEventLoop();
  try {
    const result = await work();
    await wait(LAST_MEASURE_MS);
    return { result, busyMs: monitor.read().busyMaxMs };
  } finally {
    monitor.stop();
  }
}
