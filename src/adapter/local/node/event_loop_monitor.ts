/** Measures event loop delay with a timer, and the CPU time of this thread between two ticks. */
import { createHistogram } from 'node:perf_hooks';
import type { EventLoopDelay, EventLoopMonitor } from '../../../port/event_loop_monitor';

const TICK_MS = 20;
/** Readings cover the last one to two windows. */
const WINDOW_MS = 60_000;

/** Starts measuring. Its timer wakes the process 50 times a second, which takes 0.5 % of a core, and less when there is other work. */
export function monitorEventLoop(): EventLoopMonitor {
  let current = openWindow();
  let previous = openWindow();
  let lastAt = performance.now();
  let lastCpuMs = threadCpuMs();
  const timer = setInterval(() => {
    const now = performance.now();
    const cpuMs = threadCpuMs();
    if (now - current.openedAt > WINDOW_MS) {
      previous = current;
      current = openWindow();
    }
    note(current, Math.max(0, now - lastAt - TICK_MS), cpuMs - lastCpuMs);
    lastAt = now;
    lastCpuMs = cpuMs;
  }, TICK_MS);
  timer.unref();
  return {
    read: () => ({
      delayP99Ms: Math.max(p99Of(current), p99Of(previous)),
      delayMaxMs: rounded(Math.max(current.delayMaxMs, previous.delayMaxMs)),
      busyMaxMs: rounded(Math.max(current.busyMaxMs, previous.busyMaxMs)),
    }),
    stop: () => clearInterval(timer),
  };
}

const openWindow = () => ({ openedAt: performance.now(), delayMaxMs: 0, busyMaxMs: 0, delaysUs: createHistogram() });
type Window = ReturnType<typeof openWindow>;

function note(window: Window, delayMs: number, busyMs: number): void {
  window.delayMaxMs = Math.max(window.delayMaxMs, delayMs);
  window.busyMaxMs = Math.max(window.busyMaxMs, busyMs);
  // The smallest value of a histogram is 1.
  window.delaysUs.record(Math.max(1, Math.round(delayMs * 1_000)));
}

const p99Of = ({ delaysUs }: Window): EventLoopDelay['delayP99Ms'] => (delaysUs.count === 0 ? 0 : rounded(delaysUs.percentile(99) / 1_000));

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** Before Node 23.9 only the CPU time of all threads together is available. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}
