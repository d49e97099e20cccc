/** Errors of the store that callers tell apart by class. */
import { AppError } from '../../errors';

/** The store cannot be opened at all. The message is one sentence for the operator and may name a path. */
export class StoreOpenError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StoreOpenError';
  }
}

/** Another run of the session was stored at the same moment: it is active, or has the same ordinal. A later try sees that run. */
export class SessionBusyError extends AppError {
  constructor(cause: unknown) {
    super('session_busy', { retryAfterMs: 1_000, cause });
    this.name = 'SessionBusyError';
  }
}

/** The writer lost its run: another process took it over (a newer epoch), or the run is gone. The writer must stop and write nothing more. */
export class FencedError extends AppError {
  constructor() {
    super('internal', { message: 'The run belongs to another process now.', messageZh: '此运行现在属于另一个进程。' });
    this.name = 'FencedError';
  }
}
