import { joinUrl } from '../../utils/join_url';
import { createFetch } from '../network/proxy_fetch';
import { toConnectionError } from './connection_errors';
import { keyHeaders } from './key_headers';
import { badResponse, StatusError, timeoutError } from './model_errors';
import { toModelError } from './model_refusals';

interface ModelServer {
  /** Base of an OpenAI-compatible API. */
  baseUrl: string;
  apiKey: string | undefined;
}

const LIST_MS = 10_000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_MODELS = 2_000;
/** Servers without a list of models answer so. */
const WITHOUT_LIST: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks a model server for the names of its models, which costs no tokens. Resolves with an empty list for a server without such a list. Rejects with
 * an AppError `model_*` with the server's own words, or with the reason of `signal`.
 */
export async function listServerModels({ baseUrl, apiKey }: ModelServer, signal: AbortSignal): Promise<string[]> {
  const url = joinUrl(baseUrl, '/models');
  const limit = AbortSignal.timeout(LIST_MS);
  try {
    const headers = { accept: 'application/json', ...keyHeaders(url, apiKey) };
    // The key goes to this server alone, so a redirect is not followed.
    const response = await createFetch(url)(url, { headers, redirect: 'manual', signal: AbortSignal.any([signal, limit]) });
    const text = await readText(response);
    if (response.ok) return namesIn(text);
    if (WITHOUT_LIST.has(response.status)) return [];
    throw new StatusError(response.status, headersOf(response), text);
  } catch (thrown) {
    signal.throwIfAborted();
    if (limit.aborted) throw timeoutError('first_byte', LIST_MS, { areTimesFixed: true });
    if (thrown instanceof TypeError) throw toConnectionError((thrown.cause as Error | undefined) ?? thrown);
    throw toModelError(thrown, { apiKey, now: Date.now(), maxRetryAfterMs: 0 });
  }
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    bytes += next.value.length;
    if (bytes > MAX_LIST_BYTES) throw badResponse(['its list of models is longer than 4 MiB', '模型列表超过 4 MiB']);
    pieces.push(next.value);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function headersOf(response: Response): Record<string, string> {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return headers;
}

/** Reads `{ data: [{ id }] }`, a bare list, and `{ models: [{ name }] }`. */
function namesIn(text: string): string[] {
  const document = parseJson(text);
  const rows = Array.isArray(document) ? document : (fieldOf(document, 'data') ?? fieldOf(document, 'models'));
  if (!Array.isArray(rows)) throw badResponse(['its list of models is no list', '模型列表不是列表']);
  const names = rows.map(row => (typeof row === 'string' ? row : (fieldOf(row, 'id') ?? fieldOf(row, 'name'))));
  return names.filter(name => typeof name === 'string' && name !== '').slice(0, MAX_MODELS) as string[];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badResponse(['its list of models is not valid JSON', '模型列表不是有效的 JSON'], cause);
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
