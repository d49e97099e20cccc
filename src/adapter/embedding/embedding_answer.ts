/** Decodes the answer of an /embeddings call. Servers are careless with content types, so the body itself decides. */
import { reportedError } from '../openai/error_shapes';
import { isRecord } from '../openai/json_value';
import { badResponse, type Text } from '../openai/model_errors';
import { type ErrorContext, toStreamedError } from '../openai/model_refusals';

const MAX_DIMENSIONS = 16_384;
const NO_EMBEDDING: Text = [
  'it is JSON, but no answer of an embedding model; check the base URL',
  '是 JSON，但不是嵌入模型的回答；请检查基础地址',
];

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
  if (!isRecord(answer)) throw badResponse(NO_EMBEDDING);
  const problem = reportedError(answer);
  if (problem !== undefined) throw toStreamedError(problem, context);
  const rows = answer['data'];
  if (!Array.isArray(rows)) throw badResponse(NO_EMBEDDING);
  if (rows.length !== count)
    throw badResponse([`it has ${rows.length} vectors for ${count} texts`, `${count} 段文本得到了 ${rows.length} 个向量`]);
  const vectors = inOrder(rows).map(toVector);
  const expected = dimensions ?? vectors[0]?.length;
  const other = vectors.find(vector => vector.length !== expected);
  if (other)
    throw badResponse([
      `a vector has ${other.length} dimensions, others have ${expected}`,
      `有一个向量为 ${other.length} 维，其他为 ${expected} 维`,
    ]);
  const inputTokens = isRecord(answer['usage']) ? answer['usage']['prompt_tokens'] : undefined;
  return { vectors, inputTokens: isCount(inputTokens) ? inputTokens : undefined };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parse(body: string): unknown {
  if (/^[\s\ufeff]*</.test(body))
    throw badResponse(['it is a web page; check the base URL, it usually ends with /v1', '是一个网页；请检查基础地址，它通常以 /v1 结尾']);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw badResponse(['it is not valid JSON', '不是有效的 JSON'], cause);
  }
}

/** Sorts the vectors by `index`: servers may answer in any order. Some leave `index` out and keep the order. */
function inOrder(rows: readonly unknown[]): unknown[] {
  const places = rows.map((row, i) => (isRecord(row) ? (row['index'] ?? i) : undefined));
  if (new Set(places).size !== rows.length || !places.every(place => isPlace(place, rows.length)))
    throw badResponse(['its vectors have no usable index', '向量没有可用的序号']);
  const ordered: unknown[] = new Array(rows.length);
  for (const [i, place] of places.entries()) ordered[place as number] = (rows[i] as Record<string, unknown>)['embedding'];
  return ordered;
}

const isPlace = (place: unknown, count: number): boolean => Number.isInteger(place) && (place as number) >= 0 && (place as number) < count;

function toVector(embedding: unknown): Float32Array {
  const numbers = typeof embedding === 'string' ? fromBase64(embedding) : embedding;
  if (!(Array.isArray(numbers) || numbers instanceof Float32Array) || numbers.length === 0)
    throw badResponse(['a vector is missing or is no list of numbers', '缺少向量，或向量不是数字列表']);
  if (numbers.length > MAX_DIMENSIONS)
    throw badResponse([`a vector has more than ${MAX_DIMENSIONS} dimensions`, `有一个向量超过 ${MAX_DIMENSIONS} 维`]);
  if (Array.isArray(numbers) && !numbers.every(number => typeof number === 'number'))
    throw badResponse(['a vector holds something that is no number', '向量中有不是数字的值']);
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
  if (!Number.isFinite(sum)) throw badResponse(['a vector holds a number that is not finite', '向量中有非有限的数']);
  if (sum === 0) throw badResponse(['a vector is zero', '向量为零']);
  const length = Math.sqrt(sum);
  return vector.map(number => number / length);
}
