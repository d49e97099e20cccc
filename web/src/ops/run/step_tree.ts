/** How the steps of a run belong together. Pure. */
import type { WaterfallRow } from './run_types';

/** Returns how deep a step is: model calls contain the tool calls that they asked for, and those contain questions and child runs. */
export function depthOf({ kind, fromSeq }: WaterfallRow, rows: readonly WaterfallRow[]): number {
  if (kind === 'tool') return 1;
  if (kind !== 'human' && kind !== 'child') return 0;
  const isInTool = rows.some(row => row.kind === 'tool' && row.fromSeq < fromSeq && fromSeq <= (row.toSeq ?? Number.POSITIVE_INFINITY));
  return isInTool ? 2 : 1;
}

/** Returns the row that took the most time, among rows that have ended; a row that goes on is longer than those. */
export function longestOf(rows: readonly WaterfallRow[]): WaterfallRow | undefined {
  const lengthOf = ({ durationMs = Number.POSITIVE_INFINITY }: WaterfallRow) => durationMs;
  return rows.reduce<WaterfallRow | undefined>((most, row) => (most && lengthOf(most) >= lengthOf(row) ? most : row), undefined);
}

/** Returns the smallest value that at least the share of the values does not exceed; undefined without values. */
export function percentileOf(values: readonly number[], share: number): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
