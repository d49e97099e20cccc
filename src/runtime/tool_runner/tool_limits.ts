/** Limits that the runner enforces for every tool call; docs/tools.md states the same numbers. */
export const TOOL_LIMITS = {
  /** Reads of one attempt that run in parallel; an attempt with any other call runs its calls one by one. */
  maxParallel: 8,
  /** Timeout of one call in milliseconds, for tools without their own. */
  timeoutMs: 120_000,
  /** Tries of a call whose effect is read or idempotent, the first one included; NETA_TOOL_TRIES changes it. */
  maxTries: 3,
  /** Milliseconds before the second try, doubled before the third, each with a jitter of 50 percent; NETA_TOOL_RETRY_MS changes it. */
  retryMs: 200,
  /** Characters of one result for the model. */
  resultLength: 100_000,
  /** Characters of all results of an attempt together. */
  attemptLength: 200_000,
  /** Characters that each result may still have when attemptLength is used up. */
  leastLength: 2_000,
  /** Loop detection: from this equal result of the same call on, the model gets a hint. */
  hintAt: 3,
  /** Loop detection: this repetition of the call does not run. */
  blockAt: 5,
} as const;
