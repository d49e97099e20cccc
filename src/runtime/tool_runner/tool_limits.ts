/** What the runner enforces around every tool call; docs/tools.md tells people the same numbers. */
export const TOOL_LIMITS = {
  /** Reads of one attempt that run at the same time; an attempt with any other call runs one after the other. */
  maxParallel: 8,
  /** Milliseconds of one call, for tools that set no limit of their own. */
  timeoutMs: 120_000,
  /** Tries of a call that reads or is idempotent. */
  maxTries: 3,
  /** Milliseconds before the second try; doubled for the third, each spread by half. */
  retryMs: 200,
  /** Characters of a result that the model gets. */
  resultLength: 100_000,
  /** Characters of all results of an attempt. */
  attemptLength: 200_000,
  /** Characters of a result that stay when those of the attempt are used up. */
  leastLength: 2_000,
  /** Same results of the same call in one run: from this one on the model is told. */
  hintAt: 3,
  /** The call that is not run any more. */
  blockAt: 5,
} as const;
