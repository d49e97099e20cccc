/** Turns what comes over a wire into a checked value, or into an `invalid_request` that names the field. */
import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { ValueError } from '@sinclair/typebox/errors';
import { AppError } from '../errors';
import { NOT_BLANK } from './not_blank';

export type Decoder<T extends TSchema> = (value: unknown) => Static<T>;

const MAX_DEPTH = 64;
/** Names in one object: looking at a hundred thousand takes longer than anybody may be kept waiting. */
const MAX_NAMES = 10_000;

/** A decoder for one schema, compiled once. It throws AppError `invalid_request` with a JSON pointer in `param`. */
export function createDecoder<T extends TSchema>(schema: T): Decoder<T> {
  const check = TypeCompiler.Compile(schema);
  return value => {
    assertPlainJson(value);
    if (check.Check(value)) return value;
    throw firstProblem(check, value);
  };
}

function firstProblem(check: TypeCheck<TSchema>, value: unknown): AppError {
  const error = check.Errors(value).First();
  const param = error?.path || '/';
  const subject = param === '/' ? 'The request' : param;
  return new AppError('invalid_request', { param, message: `${subject}: ${error ? ruleOf(error) : 'is not valid'}.` });
}

function ruleOf({ schema, message, value }: ValueError): string {
  const choices = (schema['anyOf'] as { const?: unknown }[] | undefined)?.map(option => option.const);
  if (choices?.every(choice => choice !== undefined)) return `must be one of ${choices.join(', ')}`;
  if (schema['pattern'] === NOT_BLANK && typeof value === 'string') return 'must not be blank';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** Refuses what a JSON parser lets through but nobody sends in good faith: own `__proto__` keys, and nesting and names without end. */
function assertPlainJson(value: unknown): void {
  const odd = findOddPlace(value, 0);
  if (!odd) return;
  const param = odd.place.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  throw new AppError('invalid_request', { param: param || '/', message: odd.message });
}

const PROTOTYPE = '__proto__';

interface OddPlace {
  /** The keys on the way there. */
  place: string[];
  message: string;
}

/** The first such place. */
function findOddPlace(value: unknown, depth: number): OddPlace | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return { place: [], message: `The request is nested deeper than ${MAX_DEPTH} levels.` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const odd = findOddPlace(value[index], depth + 1);
      if (odd) return under(String(index), odd);
    }
    return undefined;
  }
  const keys = Object.keys(value);
  if (keys.length > MAX_NAMES)
    return { place: [], message: `An object of the request has ${keys.length} names; ${MAX_NAMES} are allowed.` };
  for (const key of keys) {
    if (key === PROTOTYPE) return { place: [key], message: `The name ${PROTOTYPE} is not allowed.` };
    const odd = findOddPlace((value as Record<string, unknown>)[key], depth + 1);
    if (odd) return under(key, odd);
  }
  return undefined;
}

const under = (key: string, { place, message }: OddPlace): OddPlace => ({ place: [key, ...place], message });

export const ID_PATTERN = '^[A-Za-z0-9_-]{1,64}$';
const ID = new RegExp(ID_PATTERN);

/** An id from a path: one that cannot exist is `not_found`. */
export function decodeId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new AppError('not_found');
}
