/** A tool call as a model wrote it in text, and the shapes of JSON that state one. */
import { parseArguments } from '../tool_runner/argument_repair';

export interface WrittenCall {
  name: string;
  /** The arguments, or their texts by name when the format has no types. */
  args: Record<string, unknown> | { texts: ReadonlyMap<string, string> };
  /** The JSON had mistakes that were repaired. */
  isRepaired?: boolean;
}

type JsonObject = Record<string, unknown>;

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function_name', 'action', 'function'] as const;
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'action_input', 'tool_input', 'tool_args', 'params', 'kwargs'] as const;
/** Further keys of a call. Any other key means that the object is something else, such as the definition of a tool. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['id', 'type', 'index', 'tool_call_id', 'call_id']);

/** Returns the calls that a JSON value states; undefined when it is anything else. `mayLackArguments`: a name alone is a call. */
export function toWrittenCalls(value: unknown, { mayLackArguments }: { mayLackArguments: boolean }): WrittenCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map(item => toWrittenCalls(item, { mayLackArguments }));
    return calls.length > 0 && calls.every(call => call !== undefined) ? calls.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  const { tool_calls: list, function_call: legacy, function: nested } = value;
  if (Array.isArray(list)) return Object.keys(value).length === 1 ? toWrittenCalls(list, { mayLackArguments }) : undefined;
  if (isObject(legacy)) return Object.keys(value).length === 1 ? toWrittenCalls(legacy, { mayLackArguments }) : undefined;
  if (isObject(nested)) return hasOnly(value, ['function']) ? toWrittenCalls(nested, { mayLackArguments }) : undefined;
  const call = toWrittenCall(value, mayLackArguments);
  return call && [call];
}

function toWrittenCall(value: JsonObject, mayLackArguments: boolean): WrittenCall | undefined {
  const nameKey = NAME_KEYS.find(key => typeof value[key] === 'string');
  if (nameKey === undefined) return undefined;
  const argumentKey = ARGUMENT_KEYS.find(key => Object.hasOwn(value, key));
  if (!hasOnly(value, argumentKey === undefined ? [nameKey] : [nameKey, argumentKey])) return undefined;
  if (argumentKey === undefined && !mayLackArguments) return undefined;
  const args = argumentKey === undefined ? { args: {} } : toArguments(value[argumentKey]);
  return args && { name: value[nameKey] as string, ...args };
}

/** Some formats send the arguments as the text of an object. */
function toArguments(value: unknown): Pick<WrittenCall, 'args' | 'isRepaired'> | undefined {
  if (value === null) return { args: {} };
  if (isObject(value)) return { args: value };
  if (typeof value !== 'string') return undefined;
  const parsed = parseArguments(value);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  return { args: parsed.value, isRepaired: parsed.isRepaired || undefined };
}

const hasOnly = (value: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(value).every(key => keys.includes(key) || OTHER_KEYS.has(key));

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
