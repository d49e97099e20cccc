/** Validates input from clients: a decoder returns the typed value or throws `invalid_request` with the field's name. */
import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { AppError } from '../errors';
import { toWellFormedValue } from '../utils/well_formed';
import { ruleOf } from './schema_rules';

export type Decoder<T extends TSchema> = (value: unknown) => Static<T>;

const MAX_DEPTH = 64;
/** The most keys of one object. Checking a hundred thousand keys would block the event loop for too long. */
const MAX_KEYS = 10_000;

/**
 * Creates a decoder for one schema, which the first value compiles. The decoder throws `invalid_request` with a JSON pointer in `param`. The texts of
 * its values are well-formed Unicode.
 */
export function createDecoder<T extends TSchema>(schema: T): Decoder<T> {
  let check: TypeCheck<T> | undefined;
  return value => {
    assertPlainJson(value);
    check ??= TypeCompiler.Compile(schema);
    if (check.Check(value)) return toWellFormedValue(value);
    throw firstProblem(check, value);
  };
}

const decoders = new WeakMap<TSchema, Decoder<TSchema>>();

/** Decodes a value as the decoder of `schema` does, which is created once. */
export function decode<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const known = decoders.get(schema) ?? createDecoder(schema);
  decoders.set(schema, known);
  return known(value);
}

function firstProblem(check: TypeCheck<TSchema>, value: unknown): AppError {
  const error = check.Errors(value).First();
  const param = error?.path || '/';
  const isWhole = param === '/';
  const rule = error ? ruleOf(error) : { en: 'is not valid', 'zh-CN': '无效' };
  return new AppError('invalid_request', {
    param,
    message: `${isWhole ? 'The request' : param}: ${rule.en}.`,
    messageZh: `${isWhole ? '请求' : param}：${rule['zh-CN']}。`,
  });
}

/** Refuses JSON that only an attacker sends: own `__proto__` keys, more than 64 levels of nesting, more than 10,000 keys in an object. */
function assertPlainJson(value: unknown): void {
  const odd = findOddPlace(value, 0);
  if (!odd) return;
  const param = odd.path.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  throw new AppError('invalid_request', { param: param || '/', message: odd.message, messageZh: odd.messageZh });
}

const PROTOTYPE = '__proto__';

interface OddPlace {
  /** Keys from the root. */
  path: string[];
  message: string;
  messageZh: string;
}

/** Finds the first such place, depth first. */
function findOddPlace(value: unknown, depth: number): OddPlace | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return tooDeep();
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const odd = findOddPlace(value[index], depth + 1);
      if (odd) return under(String(index), odd);
    }
    return undefined;
  }
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS) return tooWide(keys.length);
  for (const key of keys) {
    if (key === PROTOTYPE) return { path: [key], message: `The name ${PROTOTYPE} is not allowed.`, messageZh: `不允许名称 ${PROTOTYPE}。` };
    const odd = findOddPlace((value as Record<string, unknown>)[key], depth + 1);
    if (odd) return under(key, odd);
  }
  return undefined;
}

const tooDeep = (): OddPlace => ({
  path: [],
  message: `The request is nested deeper than ${MAX_DEPTH} levels.`,
  messageZh: `请求的嵌套超过 ${MAX_DEPTH} 层。`,
});

const tooWide = (names: number): OddPlace => ({
  path: [],
  message: `An object of the request has ${names} names; ${MAX_KEYS} are allowed.`,
  messageZh: `请求中的一个对象有 ${names} 个名称；最多允许 ${MAX_KEYS} 个。`,
});

const under = (key: string, { path, ...place }: OddPlace): OddPlace => ({ path: [key, ...path], ...place });

export const ID_PATTERN = '^[A-Za-z0-9_-]{1,64}$';
const ID = new RegExp(ID_PATTERN);

/** Returns an id from a URL path. Throws `not_found` for a value that cannot be an id. */
export function decodeId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new AppError('not_found');
}
