/** Reads the Range header of a download (RFC 9110, 14). */

/** Bytes from `start` up to `end`, without the one at `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Returns the range; undefined for a header that a server ignores: none, several ranges, another unit, nonsense. 'unsatisfiable' when the range
 * begins behind the last byte.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = SINGLE.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 ? 'unsatisfiable' : rangeWithin(Math.max(0, size - Number(last)), size, size);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return rangeWithin(Number(first), last === '' ? size : Math.min(size, Number(last) + 1), size);
}

const rangeWithin = (start: number, end: number, size: number): ByteRange | 'unsatisfiable' =>
  start < size ? { start, end } : 'unsatisfiable';
