/** Collects values and passes them on once per frame, so that a burst of tokens costs one update. */
export interface FrameBatch<T> {
  push(value: T): void;
  /** Passes on the collected values now. */
  flush(): void;
}

/** Interval for hidden pages, and for pages in a frame that nobody sees: they get no frames to draw. Milliseconds. */
const HIDDEN_INTERVAL_MS = 200;

export function createFrameBatch<T>(handle: (values: T[]) => void): FrameBatch<T> {
  let waiting: T[] = [];
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (waiting.length === 0) return;
    const values = waiting;
    waiting = [];
    handle(values);
  };
  return {
    push: value => {
      waiting.push(value);
      if (scheduled) return;
      scheduled = true;
      if (document.hidden || parent !== window) setTimeout(flush, HIDDEN_INTERVAL_MS);
      if (!document.hidden) requestAnimationFrame(flush);
    },
    flush,
  };
}
