/** Offsets and cursors of a stream (Durable Streams protocol, 6 and 8.1). */
import { randomInt } from 'node:crypto';
import { invalidField } from '../../errors';

/** All offsets have the same length, so their order as texts is their order in the stream. */
const DIGITS = 10;
/** Cursors count intervals of 20 s since this time. */
const CURSOR_EPOCH = Date.UTC(2024, 9, 9);
const CURSOR_MS = 20_000;
/** A cursor that is not behind the clock moves on by at most this many intervals: one hour. */
const MAX_JITTER = 180;

/** Returns the offset behind the event with this seq. */
export const toOffset = (seq: number): string => String(seq).padStart(DIGITS, '0');

/** Returns the seq of the last event before the offset. `lastSeq`: that of the last stored event. Throws `invalid_request` for an offset behind the end. */
export function seqOf(offset: string, lastSeq: number): number {
  if (offset === '-1') return 0;
  if (offset === 'now') return lastSeq;
  const seq = Number(offset);
  if (seq <= lastSeq) return seq;
  throw invalidField(
    '/offset',
    `is behind the end of the stream, ${toOffset(lastSeq)}. Read again from -1.`,
    `超出了流的末尾 ${toOffset(lastSeq)}。请从 -1 重新读取。`,
  );
}

/** Returns the cursor for a live answer. It is always later than the cursor that the client sent, so that no cache repeats an empty answer for ever. */
export function nextCursor(now: number, sent?: string): string {
  const interval = Math.floor((now - CURSOR_EPOCH) / CURSOR_MS);
  const before = sent === undefined ? -1 : Number(sent);
  return String(before < interval ? interval : before + randomInt(1, MAX_JITTER + 1));
}
