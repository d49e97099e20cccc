/** Checks the content of configuration files. Each error names file, field and line. */
import type { TSchema } from '@sinclair/typebox';
import type { TypeCheck, ValueError } from '@sinclair/typebox/compiler';
import type { ConfigFile } from '../port/config_files';
import { brokenRule, isMissingProperty, isUnknownProperty, ruleText } from '../tools/schema_rules';
import { findInvisible } from '../utils/invisible_text';
import { escapeKey, keysOf } from '../utils/json_pointer';

export interface FieldMistake {
  /** JSON pointer. */
  field: string;
  /** A clause without a full stop. */
  reason: string;
}

/** Returns the value, which has the type of the schema. Throws an error about the first field that does not match; `noun` names the whole. */
export function checkConfigFile<T extends TSchema>({ value, problem }: ConfigFile, checker: TypeCheck<T>, noun: string): unknown {
  if (checker.Check(value)) return value;
  const [mistake] = fieldMistakes(value, checker);
  throw problem(mistake?.field ?? '', mistake?.reason ?? `is not ${noun}`);
}

/** Throws an error about the first text with an invisible character, or one that reorders the visible text. */
export function refuseInvisibleText({ value, problem }: ConfigFile): void {
  for (const { field, reason } of invisibleTexts(value)) throw problem(field, reason);
}

/** Finds every field that does not match, with the first rule that it breaks. */
export function* fieldMistakes<T extends TSchema>(value: unknown, checker: TypeCheck<T>): Generator<FieldMistake> {
  const seen = new Set<string>();
  for (const error of checker.Errors(value)) {
    if (seen.has(error.path)) continue;
    seen.add(error.path);
    yield { field: error.path, reason: fieldMessage(error) };
  }
}

/** Finds every text with an invisible character, or one that reorders the visible text. */
export function* invisibleTexts(value: unknown, pointer = ''): Generator<FieldMistake> {
  if (typeof value === 'string') {
    const found = findInvisible(value);
    if (found !== undefined) yield { field: pointer, reason: `holds the invisible character ${found}; remove it` };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) yield* invisibleTexts(entry, `${pointer}/${escapeKey(key)}`);
  }
}

/** Says in words what is wrong with a field. */
export function fieldMessage(error: ValueError): string {
  if (isUnknownProperty(error)) return `there is no field ${keysOf(error.path).at(-1)}`;
  return isMissingProperty(error) ? 'is required' : ruleText(brokenRule(error)).en;
}
