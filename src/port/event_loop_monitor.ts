/** Delays of the event loop, in milliseconds, over the last one to two minutes. */
export interface EventLoopDelay {
  /** Delay of timers, 99th percentile. */
  delayP99Ms: number;
  /** Longest delay of a timer, caused by this process, the disk or other processes of the machine. */
  delayMaxMs: number;
  /** The most CPU time that this process used between two returns to the event loop. Other processes of the machine do not count. */
  busyMaxMs: number;
}

/**
 * @example
 * import type { EventLoopMonitor } from './event_loop_monitor';
 *
 * // Reports delays of 0, because it measures nothing.
 * export const noMonitor: EventLoopMonitor = {
 *   read: () => ({ delayP99Ms: 0, delayMaxMs: 0, busyMaxMs: 0 }),
 *   stop() {},
 * };
 */
export interface EventLoopMonitor {
  /** Returns the delays so far; zeros right after the start. */
  read(): EventLoopDelay;
  /** Ends the measurement. */
  stop(): void;
}
