/** Resolves like `work`; with undefined when `work` rejects or takes longer than the limit. Never rejects. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
