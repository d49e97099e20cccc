/** Checks the content of configuration files. Each error names file, field and line. */
import type { TSchema } from '@sinclair/typebox';
import type { TypeCheck, ValueError } from '@sinclair/typebox/compiler';
import type { ConfigFile } from '../port/config_files';
import { brokenRule, isMissingProperty, isUnknownProperty, ruleText } from '../tools/schema_rules';
import { findInvisible } from '../utils/invisible_text';

/** Returns the value, which has the type of the schema. Throws an error about the first field that does not match; `noun` names the whole. */
export function checkConfigFile<T extends TSchema>({ value, problem }: ConfigFile, checker: TypeCheck<T>, noun: string): unknown {
  if (checker.Check(value)) return value;
  const error = checker.Errors(value).First();
  throw problem(error?.path ?? '', error ? fieldMessage(error) : `is not ${noun}`);
}

/** Throws an error about the first text with an invisible character, or one that reorders the visible text. */
export function refuseInvisibleText({ value, problem }: ConfigFile): void {
  const walk = (part: unknown, pointer: string): void => {
    if (typeof part === 'string') {
      const found = findInvisible(part);
      if (found !== undefined) throw problem(pointer, `holds the invisible character ${found}; remove it`);
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, entry] of Object.entries(part)) walk(entry, `${pointer}/${key}`);
    }
  };
  walk(value, '');
}

/** Says in words what is wrong with a field. */
export function fieldMessage(error: ValueError): string {
  if (isUnknownProperty(error)) return `there is no field ${error.path.slice(error.path.lastIndexOf('/') + 1)}`;
  return isMissingProperty(error) ? 'is required' : ruleText(brokenRule(error));
}
