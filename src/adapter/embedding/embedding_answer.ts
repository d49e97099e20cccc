/** Decodes the answer of an /embeddings call. Servers are careless with content types, so the body itself decides. */
import { reportedError } from '../openai/error_shapes';
import { isRecord } from '../openai/json_value';
import { badResponse } from '../openai/model_errors';
import { type ErrorContext, toStreamedError } from '../openai/model_refusals';

const MAX_DIMENSIONS = 16_384;

export interface Expected {
  /** Number of texts that were sent. */
  count: number;
  /** Dimensions of earlier answers; undefined before the first answer. */
  dimensions: number | undefined;
  context: ErrorContext;
}

export interface Embeddings {
  /** The vectors, each of length 1, in the order of the texts. */
  vectors: Float32Array[];
  /** Absent when the server does not tell. */
  inputTokens?: number;
}

/** Reads the vectors of an answer. Throws AppErrors `model_*` for a body that holds anything but vectors. */
export function decodeEmbeddings(body: string, { count, dimensions, context }: Expected): Embeddings {
  const answer = parse(body);
  if (!isRecord(answer)) throw badResponse('it is JSON, but no answer of an embedding model; check the base URL');
  const problem = reportedError(answer);
  if (problem !== undefined) throw toStreamedError(problem, context);
  const rows = answer['data'];
  if (!Array.isArray(rows)) throw badResponse('it is JSON, but no answer of an embedding model; check the base URL');
  if (rows.length !== count) throw badResponse(`it has ${rows.length} vectors for ${count} texts`);
  const vectors = inOrder(rows).map(toVector);
  const expected = dimensions ?? vectors[0]?.length;
  const other = vectors.find(vector => vector.length !== expected);
  if (other) throw badResponse(`a vector has ${other.length} dimensions, others have ${expected}`);
  const inputTokens = isRecord(answer['usage']) ? answer['usage']['prompt_tokens'] : undefined;
  return { vectors, inputTokens: isCount(inputTokens) ? inputTokens : undefined };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parse(body: string): unknown {
  if (/^[\s\ufeff]*</.test(body)) throw badResponse('it is a web page; check the base URL, it usually ends with /v1');
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw badResponse('it is not valid JSON', cause);
  }
}

/** Sorts the vectors by `index`: servers may answer in any order. Some leave `index` out and keep the order. */
function inOrder(rows: readonly unknown[]): unknown[] {
  const places = rows.map((row, i) => (isRecord(row) ? (row['index'] ?? i) : undefined));
  if (new Set(places).size !== rows.length || !places.every(place => isPlace(place, rows.length)))
    throw badResponse('its vectors have no usable index');
  const ordered: unknown[] = new Array(rows.length);
  for (const [i, place] of places.entries()) ordered[place as number] = (rows[i] as Record<string, unknown>)['embedding'];
  return ordered;
}

const isPlace = (place: unknown, count: number): boolean => Number.isInteger(place) && (place as number) >= 0 && (place as number) < count;

function toVector(embedding: unknown): Float32Array {
  const numbers = typeof embedding === 'string' ? fromBase64(embedding) : embedding;
  if (!(Array.isArray(numbers) || numbers instanceof Float32Array) || numbers.length === 0)
    throw badResponse('a vector is missing or is no list of numbers');
  if (numbers.length > MAX_DIMENSIONS) throw badResponse(`a vector has more than ${MAX_DIMENSIONS} dimensions`);
  if (Array.isArray(numbers) && !numbers.every(number => typeof number === 'number'))
    throw badResponse('a vector holds something that is no number');
  return normalized(Float32Array.from(numbers));
}

/** 32-bit floats, little-endian. */
function fromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}

function normalized(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const number of vector) sum += number * number;
  if (!Number.isFinite(sum)) throw badResponse('a vector holds a number that is not finite');
  if (sum === 0) throw badResponse('a vector is zero');
  const length = Math.sqrt(sum);
  return vector.map(number => number / length);
}
