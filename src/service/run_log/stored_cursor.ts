/**
 * Cursors of JSON pages. A page holds only stored events, which keep their numbers for ever; the number of a live event that a crash lost goes to
 * another event. In a recovered run, a page marks the cursor that it gives out, so that the cursor differs from a number that was seen live.
 */

export interface EventCursor {
  /** The last event that the reader has. */
  seq: number;
  /** True when the gateway gave out this cursor for a stored event. */
  isStored?: boolean;
}

/** Added to the seq of a marked cursor. It is more than a run has events; a marked cursor still has the nine digits that the doors accept. */
const MARK = 500_000_000;

/** Returns the cursor for a stored event, as a recovered run gives it out. */
export const markStored = (seq: number): number => MARK + seq;

/** Reads a number that a client sent: a plain seq or a marked cursor. */
export function decodeCursor(value: number): EventCursor {
  return value >= MARK ? { seq: value - MARK, isStored: true } : { seq: value, isStored: false };
}

/** Returns true when the cursor may name an event that was lost with its process, and whose number another event has now. */
export function mayBeLost({ seq, isStored }: EventCursor, { recoveredAtSeq }: { recoveredAtSeq?: number }): boolean {
  return recoveredAtSeq !== undefined && seq > recoveredAtSeq && !isStored;
}
