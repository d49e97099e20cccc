/** Reads how long a model server asks to wait. */
import type { ResponseHeaders } from './model_errors';

/** A date has a comma itself. */
const FIRST_DATE = /^\w+, [^,]+/;

export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const exact = firstNumber(headers['retry-after-ms']);
  if (exact !== undefined) return exact;
  const value = headers['retry-after'];
  if (!value) return undefined;
  const seconds = firstNumber(value);
  const wait = seconds === undefined ? Date.parse(FIRST_DATE.exec(value)?.[0] ?? '') - now : seconds * 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** Reads the first of the values of a header that came several times. Returns undefined when it is not a number of at least 0. */
function firstNumber(value: string | undefined): number | undefined {
  const first = Number(value?.split(',', 1)[0] || Number.NaN);
  return first >= 0 && Number.isFinite(first) ? first : undefined;
}

/** Reads the wait from the words of an error: an error with status 200 has no header for the wait. */
export function toldWaitMs(words: string): number | undefined {
  const told = /\b(?:try again|retry|wait)\b[^.\d]{0,20}(\d{1,6}(?:\.\d+)?)\s?(ms|millisecond|s\b|sec)/i.exec(words);
  if (!told) return undefined;
  return Math.ceil(Number(told[1]) * (/^m/i.test(told[2] ?? '') ? 1 : 1_000));
}
