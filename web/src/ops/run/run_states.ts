import type { RunStatus } from '../../../../src/port/run_event';

const ENDED: readonly RunStatus[] = ['completed', 'incomplete', 'failed', 'cancelled'];

/** Returns true when a run in this status has ended. */
export const isTerminal = (status: RunStatus): boolean => ENDED.includes(status);
