/** Small mistakes of models that have only one possible meaning. */
import { distance } from 'fastest-levenshtein';
import { jsonrepair } from 'jsonrepair';
import { isClosed, isDeeperThan } from '../../utils/json_depth';

/** What the tolerant reader may be given: its time can grow with the cube of the quotation marks it has to guess about. */
const MAX_REPAIRED_LENGTH = 8_000;
const MAX_REPAIRED_QUOTES = 200;
const QUOTES = /["'`\u00b4\u2018\u2019\u201c\u201d]/g;
/** The doors take no deeper JSON either; deeper arguments can be neither stored nor sent on. */
export const MAX_ARGUMENT_DEPTH = 64;
const MAX_TYPOS = 2;
const MIN_LENGTH_FOR_TYPOS = 5;
const MAX_NAME_LENGTH = 64;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The tool of this run that is meant: the same but for case and punctuation, or the only one within two typos. */
export function repairName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const same = known.filter(candidate => plain(candidate) === wanted);
  if (same.length === 1) return same[0];
  if (same.length > 1 || wanted.length < MIN_LENGTH_FOR_TYPOS || wanted.length > MAX_NAME_LENGTH) return undefined;
  const near = known.filter(candidate => distance(plain(candidate), wanted) <= MAX_TYPOS);
  return near.length === 1 ? near[0] : undefined;
}

export type ParsedArguments = { ok: true; value: unknown; isRepaired: boolean } | { ok: false; message: string };

/** Arguments as JSON, or as what a tolerant reader makes of them. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {}, isRepaired: false };
  if (isDeeperThan(text, MAX_ARGUMENT_DEPTH))
    return { ok: false, message: `objects and lists are nested more than ${MAX_ARGUMENT_DEPTH} deep` };
  try {
    return { ok: true, value: JSON.parse(text), isRepaired: false };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : 'cannot be parsed';
    return isRepairable(text) ? repairArguments(text, message) : { ok: false, message };
  }
}

/** A text that was cut could be repaired into something that was never meant. */
function isRepairable(text: string): boolean {
  if (text.length > MAX_REPAIRED_LENGTH || (text.match(QUOTES)?.length ?? 0) > MAX_REPAIRED_QUOTES) return false;
  const trimmed = text.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}') && isClosed(trimmed);
}

function repairArguments(text: string, message: string): ParsedArguments {
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    // A text without any structure "repairs" into a string, which is no arguments.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ok: true, value, isRepaired: true }
      : { ok: false, message };
  } catch {
    return { ok: false, message };
  }
}
