import { askModelServer, toRefusal } from './ask_model_server';
import type { ModelListing } from './key_headers';
import { badResponse } from './model_errors';

const LIST_MS = 10_000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_MODELS = 2_000;
/** Servers without a list of models answer so. */
const WITHOUT_LIST: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks a model server for the names of its models, which costs no tokens. Resolves with an empty list for a server without such a list. Rejects with
 * an AppError `model_*` with the server's own words, or with the reason of `signal`.
 */
export async function listServerModels({ url, headers: own, apiKey }: ModelListing, signal: AbortSignal): Promise<string[]> {
  const headers = { accept: 'application/json', ...own };
  const answer = await askModelServer(url, { headers, signal, limitMs: LIST_MS, maxBytes: MAX_LIST_BYTES });
  if (answer.status >= 200 && answer.status < 300) return namesIn(answer.text);
  if (WITHOUT_LIST.has(answer.status)) return [];
  throw toRefusal(answer, apiKey);
}

/** Reads `{ data: [{ id }] }`, a bare list, and `{ models: [{ name }] }`. Google writes the kind of its resource before a name. */
function namesIn(text: string): string[] {
  const document = parseJson(text);
  const rows = Array.isArray(document) ? document : (fieldOf(document, 'data') ?? fieldOf(document, 'models'));
  if (!Array.isArray(rows)) throw badResponse(['its list of models is no list', '模型列表不是列表']);
  const names = rows.map(row => (typeof row === 'string' ? row : (fieldOf(row, 'id') ?? fieldOf(row, 'name'))));
  const texts = names.filter(name => typeof name === 'string').map(name => name.replace(/^models\//, ''));
  return texts.filter(name => name !== '').slice(0, MAX_MODELS);
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
