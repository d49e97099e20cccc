/** Repairs tool names and arguments when the mistake has only one possible meaning. */
import { distance } from 'fastest-levenshtein';
import { jsonrepair } from 'jsonrepair';
import { MAX_ARGUMENT_DEPTH } from '../../tools/meant_arguments';
import { isClosed, isDeeperThan } from '../../utils/json_depth';
import { syntaxErrorZh } from '../../utils/syntax_error_zh';
import type { AssembledTools } from '../tool_assembler';

/** Limits for the repair parser: its time can grow with the cube of the number of ambiguous quotation marks. */
const MAX_REPAIRED_LENGTH = 8_000;
const MAX_REPAIRED_QUOTES = 200;
const QUOTES = /["'`\u00b4\u2018\u2019\u201c\u201d]/g;
const MAX_TYPOS = 2;
const MIN_LENGTH_FOR_TYPOS = 5;
const MAX_NAME_LENGTH = 64;

/** Words of prompt templates that servers leave around a name: `functions.x`, `default_api.x`, `x<|channel|>commentary`. */
const TEMPLATE_WORDS = /^(?:functions?|defaultapi|tools?)|(?:channel)?(?:commentary|analysis)(?:json)?$/g;
/** Some models write the arguments as a block of code. */
const CODE_BLOCK = /^\s*```(?:json)?\s*(\{[\s\S]*\})\s*```\s*$/i;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Finds the tool of the run with the same name except for case, punctuation and words of templates, or the only tool within two typos. `existing`:
 * names of tools that the run may not have, too. The name of such a tool is no typo, and a name that is close to such a name may mean that tool.
 */
export function repairName(name: string, { names: known, existing = [] }: Pick<AssembledTools, 'names' | 'existing'>): string | undefined {
  if (existing.includes(name)) return undefined;
  const wanted = plain(name);
  const same = known.filter(candidate => plain(candidate) === wanted);
  if (same.length === 1) return same[0];
  const inside = wanted.replaceAll(TEMPLATE_WORDS, '');
  const framed = known.filter(candidate => plain(candidate) === inside);
  if (framed.length === 1 && ![...known, ...existing].some(candidate => plain(candidate) === wanted)) return framed[0];
  if (same.length > 1 || wanted.length < MIN_LENGTH_FOR_TYPOS || wanted.length > MAX_NAME_LENGTH) return undefined;
  const near = [...new Set([...known, ...existing])].filter(candidate => distance(plain(candidate), wanted) <= MAX_TYPOS);
  return near.length === 1 ? known.find(candidate => candidate === near[0]) : undefined;
}

export type ParsedArguments = { ok: true; value: unknown; isRepaired: boolean } | { ok: false; message: string; messageZh: string };

/** Parses arguments as JSON and repairs small syntax errors. Empty text counts as `{}`. Some models write the JSON text as a JSON string once more. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {}, isRepaired: false };
  if (isDeeperThan(text, MAX_ARGUMENT_DEPTH))
    return {
      ok: false,
      message: `objects and lists are nested more than ${MAX_ARGUMENT_DEPTH} deep`,
      messageZh: `对象和列表的嵌套超过 ${MAX_ARGUMENT_DEPTH} 层`,
    };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' && value.trimStart().startsWith('{') ? parseArguments(value) : { ok: true, value, isRepaired: false };
  } catch (thrown) {
    const inside = CODE_BLOCK.exec(text)?.[1];
    if (inside !== undefined) return parseArguments(inside);
    const message = thrown instanceof Error ? thrown.message : 'cannot be parsed';
    return isRepairable(text) ? repairArguments(text, message) : notJson(message);
  }
}

const notJson = (message: string): ParsedArguments => ({ ok: false, message, messageZh: syntaxErrorZh(message) });

/** A truncated text is not repaired: the repair could change its meaning. */
function isRepairable(text: string): boolean {
  if (text.length > MAX_REPAIRED_LENGTH || (text.match(QUOTES)?.length ?? 0) > MAX_REPAIRED_QUOTES) return false;
  const trimmed = text.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}') && isClosed(trimmed);
}

function repairArguments(text: string, message: string): ParsedArguments {
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    // Plain text "repairs" into a string, and a string is no arguments object.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ok: true, value, isRepaired: true } : notJson(message);
  } catch {
    return notJson(message);
  }
}
