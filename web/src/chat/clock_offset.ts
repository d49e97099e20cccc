/** How far the gateway's clock is ahead of this browser's, so that countdowns are right on machines whose clock is not. */
export interface ClockOffset {
  /** A ping leaves now. */
  sent(): void;
  /** Its pong came; `ts` is the gateway's time, ISO-8601. Milliseconds. */
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
