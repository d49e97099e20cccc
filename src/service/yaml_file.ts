/** Configuration files in YAML: every problem names file and field, and the line where there is one. */
import type { TSchema } from '@sinclair/typebox';
import type { TypeCheck, ValueError } from '@sinclair/typebox/compiler';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { brokenRule, isMissingProperty, isUnknownProperty, ruleText } from '../tools/schema_rules';

const MAX_FILE_BYTES = 262_144;
const MAX_ALIASES = 10;
const CONTROL = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const ZERO_WIDTH = String.raw`\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0`;
const TAGS = String.raw`\u{e0000}-\u{e0fff}`;
const INVISIBLE = new RegExp(`[${CONTROL}${BIDI}${ZERO_WIDTH}${TAGS}]`, 'u');
/** Joins the parts of one emoji. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;

/** A parsed file. `value` is its content; `problem` makes an error about a field (a JSON pointer such as `/tools/0`). */
export interface YamlFile {
  value: unknown;
  problem(pointer: string, message: string): Error;
}

/** Throws one sentence that names the file when the text is not YAML, is over 256 KiB, or grows without limit by its aliases. */
export function parseYaml(file: string, text: string): YamlFile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw new Error(`${file}: the file is over 256 KiB.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw new Error(`${file}: ${problem.message.split('\n')[0]}`);
  return {
    value: toValue(document, file),
    problem(pointer, message) {
      const offset = offsetOf(document, pointer);
      const line = offset === undefined ? '' : ` (line ${lines.linePos(offset).line})`;
      return new Error(`${file}: ${pointer || '/'}: ${message}${line}.`);
    },
  };
}

/** The value of the file, with the type of the schema. Throws an error about the first field that does not match it. */
export function checkYaml<T extends TSchema>({ value, problem }: YamlFile, checker: TypeCheck<T>, noun: string): unknown {
  if (checker.Check(value)) return value;
  const error = checker.Errors(value).First();
  throw problem(error?.path ?? '', error ? fieldMessage(error) : `is not ${noun}`);
}

/** Throws an error about the first text with an invisible character, or one that reorders the visible text. */
export function refuseInvisibleText({ value, problem }: YamlFile): void {
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

function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    // An alias may also name an anchor that comes later or does not exist.
    throw new Error(`${file}: its aliases cannot be resolved, or repeat more than ${MAX_ALIASES} times what they stand for.`);
  }
}

/** The offset of the key or item that the pointer names. */
function offsetOf(document: Document.Parsed, pointer: string): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const segment of pointer.split('/').slice(1)) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
      if (!pair) break;
      offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

function fieldMessage(error: ValueError): string {
  if (isUnknownProperty(error)) return `there is no field ${error.path.slice(error.path.lastIndexOf('/') + 1)}`;
  return isMissingProperty(error) ? 'is required' : ruleText(brokenRule(error));
}
