/** Turns what comes over a wire into a checked value, or into an `invalid_request` that names the field. */
import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { ValueError } from '@sinclair/typebox/errors';
import { AppError } from '../errors';

export type Decoder<T extends TSchema> = (value: unknown) => Static<T>;

const MAX_DEPTH = 64;

/** A decoder for one schema, compiled once. It throws AppError `invalid_request` with a JSON pointer in `param`. */
export function createDecoder<T extends TSchema>(schema: T): Decoder<T> {
  const check = TypeCompiler.Compile(schema);
  return value => {
    assertPlainJson(value, '', 0);
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

/** Refuses what a JSON parser lets through but nobody sends in good faith: own `__proto__` keys and nesting without end. */
function assertPlainJson(value: unknown, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) {
    throw new AppError('invalid_request', { param: path || '/', message: `The request is nested deeper than ${MAX_DEPTH} levels.` });
  }
  for (const key of Object.keys(value)) {
    const child = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key === '__proto__') throw new AppError('invalid_request', { param: child, message: `The name ${key} is not allowed.` });
    assertPlainJson((value as Record<string, unknown>)[key], child, depth + 1);
  }
}

/** Pattern of a text that is more than white space. */
export const NOT_BLANK = '\\S';
export const ID_PATTERN = '^[A-Za-z0-9_-]{1,64}$';
const ID = new RegExp(ID_PATTERN);

/** An id from a path: one that cannot exist is `not_found`. */
export function decodeId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new AppError('not_found');
}
