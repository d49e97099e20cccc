/** Finds and parses a JSON value inside a longer text. */
import { parseArguments } from '../tool_runner/argument_repair';
import { findStringEnd } from './match_at';

const OPENING = /[{[]/;
const BRACKET = /["{}[\]]/g;

/** Returns the index behind the object or list that starts at `at`; undefined when it does not end. O(length of the value). */
function findJsonEnd(text: string, at: number): number | undefined {
  if (!OPENING.test(text.charAt(at))) return undefined;
  let depth = 0;
  BRACKET.lastIndex = at;
  for (let found = BRACKET.exec(text); found; found = BRACKET.exec(text)) {
    const [character] = found;
    if (character === '"') {
      const end = findStringEnd(text, found.index);
      if (end === undefined) return undefined;
      BRACKET.lastIndex = end;
    } else if (character === '{' || character === '[') depth += 1;
    else if (--depth === 0) return found.index + 1;
  }
  return undefined;
}

export interface JsonSpan {
  value: unknown;
  end: number;
  isRepaired: boolean;
}

/** Parses the object or list that starts at `at`, and repairs small mistakes; undefined when it cannot be understood. */
export function readJson(text: string, at: number): JsonSpan | undefined {
  const end = findJsonEnd(text, at);
  if (end === undefined) return undefined;
  const parsed = parseArguments(text.slice(at, end));
  return parsed.ok ? { value: parsed.value, end, isRepaired: parsed.isRepaired } : undefined;
}
