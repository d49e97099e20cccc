/** Checks the content of configuration files. Each error names file, field and line. */
import type { TSchema } from '@sinclair/typebox';
import type { TypeCheck, ValueError } from '@sinclair/typebox/compiler';
import type { ConfigFile } from '../port/config_files';
import { brokenRule, isMissingProperty, isUnknownProperty, ruleText } from '../tools/schema_rules';

const CONTROL = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const ZERO_WIDTH = String.raw`\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0`;
const TAGS = String.raw`\u{e0000}-\u{e0fff}`;
const INVISIBLE = new RegExp(`[${CONTROL}${BIDI}${ZERO_WIDTH}${TAGS}]`, 'u');
/** Joins the parts of one emoji. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;

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
      const found = INVISIBLE.exec(part.replace(EMOJI_JOINER, ''))?.[0];
      if (found !== undefined) throw problem(pointer, `holds the invisible character U+${codeOf(found)}; remove it`);
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, entry] of Object.entries(part)) walk(entry, `${pointer}/${key}`);
    }
  };
  walk(value, '');
}

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

function fieldMessage(error: ValueError): string {
  if (isUnknownProperty(error)) return `there is no field ${error.path.slice(error.path.lastIndexOf('/') + 1)}`;
  return isMissingProperty(error) ? 'is required' : ruleText(brokenRule(error));
}
