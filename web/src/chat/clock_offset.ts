/** Measures how far the gateway's clock is ahead of the browser's, so that countdowns are right when the browser's clock is wrong. */
export interface ClockOffset {
  /** Call it when a ping is sent. */
  sent(): void;
  /** Call it with the time in the pong, ISO-8601. Returns the offset in milliseconds. */
  received(ts: string): number;
}

export function createClockOffset(now: () => number): ClockOffset {
  let sentAt: number | undefined;
  return {
    sent: () => {
      sentAt = now();
    },
    received: ts => {
      const middle = sentAt === undefined ? now() : (sentAt + now()) / 2;
      return Date.parse(ts) - middle;
    },
  };
}
