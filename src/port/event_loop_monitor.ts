/** How promptly this process answers. All times in milliseconds, of the last one to two minutes. */
export interface EventLoopDelay {
  /** How late timers came, 99 of 100 times less than this. */
  delayP99Ms: number;
  /** How late at most: this process at work, waiting for the disk, or the machine busy with others. */
  delayMaxMs: number;
  /** The most CPU time in one stretch without a break: this process alone, whatever else the machine does. */
  busyMaxMs: number;
}

export interface EventLoopMonitor {
  read(): EventLoopDelay;
  stop(): void;
}
