/** The stop of the gateway: once, step by step, and in a bounded time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './port/logger';

/** Milliseconds that the log file gets for its last lines. */
const LAST_LINES_MS = 1_000;
/** Runs before, between and after the steps that have a name. */
const FRAMEWORK = 'the web framework';

/** Runs the steps of the stop, and knows which one runs now. */
export class StopSteps {
  private running = FRAMEWORK;

  /** The name of the step that runs now. */
  get current(): string {
    return this.running;
  }

  /** Resolves when the step has ended. Rejects as the step does. */
  async run(name: string, step: () => unknown): Promise<void> {
    this.running = name;
    await step();
    this.running = FRAMEWORK;
  }
}

export interface StopDeps {
  /** Runs all steps. */
  stop(): Promise<void>;
  /** Ends the drain of the runs at once. */
  cutDrain(): void;
  steps: StopSteps;
  logger: Logger;
  /** Ends the process. */
  exit(code: number): void;
  /** Milliseconds after which the stop ends the process, whatever still runs. */
  limitMs: number;
}

/**
 * Returns what a signal calls. The first call stops the gateway and ends the process: with 0 after a clean stop; with 1 when the stop failed or took
 * too long, and then the log names the step. A second call ends the drain at once.
 */
export function createStop({ stop, cutDrain, steps, logger, exit, limitMs }: StopDeps): () => Promise<void> {
  let isStopping = false;
  const end = async (code: number) => {
    await Promise.race([logger.close(), pause(LAST_LINES_MS)]);
    exit(code);
  };
  return async () => {
    if (isStopping) return cutDrain();
    isStopping = true;
    const limit = setTimeout(() => {
      logger.error('stopping takes too long', new Error(`After ${limitMs} ms the stop still waits for this step: ${steps.current}.`));
      void end(1);
    }, limitMs).unref();
    try {
      await stop();
      clearTimeout(limit);
      await end(0);
    } catch (thrown) {
      logger.error('stopping failed', thrown);
      await end(1);
    }
  };
}
