/**
 * Arguments of tools that go to the server as headers too (x-mcp-header of 2026-07-28), so that what stands before the server can route a call. The SDK
 * makes the headers; this file says which tools have such arguments, and which declare them wrongly: those must not be used.
 */
import { type Bilingual, inBoth } from '../../utils/bilingual';

const KEY = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = ['string', 'integer', 'boolean'];

type JsonObject = Record<string, unknown>;

interface Declaration {
  schema: JsonObject;
  /** False below anything but `properties`: it is unknown then whether the argument is there. */
  isReachable: boolean;
}

/** Returns whether a schema names headers, and why they cannot be used. */
export function readParamHeaders(schema: JsonObject | undefined): { hasHeaders: boolean; problem?: Bilingual } {
  const found = schema ? declarationsIn(schema, false, true) : [];
  const names = found.map(({ schema: { [KEY]: name } }) => (typeof name === 'string' ? name.toLowerCase() : ''));
  const isUsable = ({ schema: { [KEY]: name, type }, isReachable }: Declaration) =>
    isReachable && typeof name === 'string' && TOKEN.test(name) && TYPES.includes(String(type));
  const isRight = found.every(isUsable) && new Set(names).size === names.length;
  return { hasHeaders: found.length > 0, problem: isRight ? undefined : WRONG };
}

const WRONG = inBoth(
  'its x-mcp-header is wrong: a plain argument (string, integer or boolean) of its own may have one, with a name that no other one has',
  '它的 x-mcp-header 有误：只有普通参数（字符串、整数或布尔值）可以有，且名称不得重复',
);

/** `isParameter`: the schema is that of an argument, not of all of them. */
function declarationsIn(value: unknown, isParameter: boolean, isReachable: boolean): Declaration[] {
  if (Array.isArray(value)) return value.flatMap(part => declarationsIn(part, true, false));
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as JsonObject;
  const own = KEY in schema && typeof schema[KEY] !== 'object' ? [{ schema, isReachable: isReachable && isParameter }] : [];
  const below = Object.entries(schema).flatMap(([key, part]) => {
    if (key !== 'properties') return declarationsIn(part, true, false);
    return isObject(part) ? Object.values(part).flatMap(property => declarationsIn(property, true, isReachable)) : [];
  });
  return [...own, ...below];
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
