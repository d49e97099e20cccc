/** Finds the private fields that a server refuses to take back, so that no conversation is stuck with them. */
import type { ChatMessage } from '../../port/llm';
import { isRecord } from './json_value';
import { StatusError } from './model_errors';

/** Names of private fields that are not sent. */
export interface LeftOutFields {
  /** Names of private fields that are not sent back as the server's own. */
  own: ReadonlySet<string>;
  /** Names of private fields that are not sent as substitutes for those of other servers. */
  substitutes: ReadonlySet<string>;
}

export const NOTHING_LEFT_OUT: LeftOutFields = { own: new Set(), substitutes: new Set() };

const COMMON: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'id', 'type', 'function', 'name', 'arguments']);
/** A name that can be found in a sentence. */
const NAME = /^[\w-]{2,64}$/;
const MAX_DEPTH = 4;
/** Parts of a list have the same fields. */
const MAX_PARTS = 3;
/** Words that mean that the server wants a field, rather than refuses it. */
const WANTS =
  /\bmissing\b|\bis required|field required|required (?:field|property)|must (?:be (?:provided|present|passed|set|included)|have|contain|include)|缺少|缺失|必须提供|不能为空/i;
const REFUSES_FIELDS =
  /extra (?:fields?|inputs?|keys?)|additional ?propert|(?:unknown|unrecogni[sz]ed|unexpected|unsupported) (?:field|name|key|property|argument)|未知字段/i;
const ABOUT_MESSAGES = /\b(?:messages?|tool_calls?)\b(?!"\s*:)/;

/**
 * Returns the fields to leave out from now on, because the server refuses a request with the messages `sent` and names some of their private fields;
 * NOTHING_LEFT_OUT when it wants one back that is left out. Returns undefined when leaving fields out cannot help.
 */
export function leftOutAfter(error: unknown, leftOut: LeftOutFields, sent: readonly ChatMessage[]): LeftOutFields | undefined {
  if (!(error instanceof StatusError) || (error.status !== 400 && error.status !== 422)) return undefined;
  const { text } = error;
  if (WANTS.test(text)) return [...leftOut.own].some(name => isNamed(name, text)) ? NOTHING_LEFT_OUT : undefined;
  const fields = privateFields(sent);
  const named = [...fields].flatMap(([field, names]) => ([...names].some(name => isNamed(name, text)) ? field : []));
  const isUnnamed = named.length === 0 && REFUSES_FIELDS.test(text) && ABOUT_MESSAGES.test(text);
  const refused = isUnnamed ? [...fields.keys()] : named;
  // A field that is refused again was a substitute.
  const again = refused.filter(field => leftOut.own.has(field));
  if (again.length === refused.length && again.every(field => leftOut.substitutes.has(field))) return undefined;
  return { own: new Set([...leftOut.own, ...refused]), substitutes: new Set([...leftOut.substitutes, ...again]) };
}

/** Returns the private fields of the messages -> the names by which a server may call each. */
function privateFields(messages: readonly ChatMessage[]): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const calls = message.tool_calls ?? [];
    for (const part of [message, ...calls, ...calls.map(call => call.function)]) addFields(part, fields);
  }
  return fields;
}

function addFields(part: object, fields: Map<string, Set<string>>): void {
  for (const [field, value] of Object.entries(part)) {
    if (COMMON.has(field)) continue;
    // A short name inside of a field may stand in any sentence.
    const names = [field, ...innerNames(value).filter(name => name.includes('_'))].filter(name => NAME.test(name));
    fields.set(field, new Set([...(fields.get(field) ?? []), ...names]));
  }
}

function innerNames(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.slice(0, MAX_PARTS).flatMap(part => innerNames(part, depth + 1));
  return isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...innerNames(inner, depth + 1)]) : [];
}

/** A name that is an ordinary word counts in quotation marks or in a path alone. */
function isNamed(name: string, text: string): boolean {
  const pattern = name.includes('_') ? `(?<![\\w-])${name}(?![\\w-])` : `(?<=['"\`.\\]])${name}(?=['"\`\\\\.[])`;
  return new RegExp(pattern).test(text);
}
