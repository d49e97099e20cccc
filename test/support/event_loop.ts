import { setTimeout as wait } from 'node:timers/promises';
import { monitorEventLoop } from '../../src/adapter/local/event_loop_monitor';

/** Longer than the monitor's interval, so that it has measured the end of the work too. */
const LAST_MEASURE_MS = 50;

/**
 * Runs `work` and gives its result and the longest time (milliseconds of CPU) for which this thread worked without a break.
 * CPU time leaves out what other programs on the machine use.
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
