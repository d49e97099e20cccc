/**
 * Cursors of JSON pages. A page holds only stored events, which keep their numbers for ever. A live event that a crash lost does not: another
 * event gets its number. In a recovered run a page marks the cursor that it gives out, so that it differs from a number that was seen live.
 */

export interface EventCursor {
  /** The last event that the reader has. */
  seq: number;
  /** The gateway gave out this cursor for an event that was stored. */
  isStored?: boolean;
}

/** More events than a run can have; with it a cursor still has the nine digits that the doors accept. */
const MARK = 500_000_000;

export const markStored = (seq: number): number => MARK + seq;

/** Reads a number that a client sent: a seq, or a marked one. */
export function decodeCursor(value: number): EventCursor {
  return value >= MARK ? { seq: value - MARK, isStored: true } : { seq: value, isStored: false };
}

/** Returns true when the cursor may name an event that was lost with its process, and whose number another event has got. */
export function mayBeLost({ seq, isStored }: EventCursor, { recoveredAtSeq }: { recoveredAtSeq?: number }): boolean {
  return recoveredAtSeq !== undefined && seq > recoveredAtSeq && !isStored;
}
