/**
 * Derives ids of spans from the ids of runs and calls. A run that another process continues after a crash goes on with the same spans, and a child
 * run finds the span of the call that delegated it, without anything being stored.
 */
import { createHash } from 'node:crypto';
import type { ObservedRun } from '../../port/observed_run';

const hexOf = (text: string, digits: number): string => createHash('sha256').update(text).digest('hex').slice(0, digits);

/** Returns the trace of the caller, or a trace of the run's own. Child runs belong to the trace of their parent. */
export const traceIdOf = ({ trace, parent, runId }: ObservedRun): string => trace?.traceId ?? traceIdFrom(parent?.runId ?? runId);

export const traceIdFrom = (id: string): string => hexOf(`trace ${id}`, 32);

export const runSpanId = (runId: string): string => hexOf(`run ${runId}`, 16);

/** `runId` is absent for a direct call. */
export const toolSpanId = (runId: string | undefined, toolCallId: string): string => hexOf(`tool ${runId ?? ''} ${toolCallId}`, 16);

/** Decides by the id alone, so that all processes decide alike. `ratio`: 0 to 1. */
export const isInSample = (traceId: string, ratio: number): boolean => Number.parseInt(traceId.slice(-13), 16) / 16 ** 13 < ratio;
