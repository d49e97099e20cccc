/**
 * Returns a function that runs `work`, never twice at the same time. A call resolves when a run of `work` that began after the call has ended; calls
 * during a run share one further run.
 */
export function coalesceCalls(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const call = (): Promise<void> => {
    if (!running) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return call();
      });
    return next;
  };
  return call;
}
