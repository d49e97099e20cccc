/**
 * The cacheable parts of a request in their order, and a cache of prompts as Anthropic documents it ("Prompt caching"): a request stores what stands
 * before each of its marks, and reads the longest stored part that ends at a mark or at most 20 blocks before it.
 */

export interface RequestPart {
  /** JSON without marks. */
  json: string;
  isMarked: boolean;
}

type Body = Record<string, unknown>;

/** Tools, the prompt, then each block of each message, or each input item of the Responses API. */
export function partsOf(body: Body): RequestPart[] {
  const tools = listOf(body['tools']);
  // OpenAI's Responses API and Google's have other names.
  const system = [body['system'] ?? body['instructions'] ?? body['systemInstruction'] ?? []].flat().filter(Boolean);
  const messages = listOf(body['messages'] ?? body['contents']).flatMap(message => {
    const { role, parts, content = parts, ...rest } = message as Body;
    const blocks = typeof content === 'string' || content === null ? [content] : listOf(content);
    return blocks.map(block => ({ role, ...rest, block }));
  });
  return [...tools, ...system, ...messages, ...listOf(body['input'])].map(toPart);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function toPart(value: unknown): RequestPart {
  const json = JSON.stringify(value);
  const unmarked = JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
  return { json: unmarked, isMarked: json !== unmarked };
}

/** Number of parts that both begin with. */
export function commonParts(a: readonly RequestPart[], b: readonly RequestPart[]): number {
  const other = a.findIndex(({ json }, i) => json !== b[i]?.json);
  return other < 0 ? a.length : other;
}

const LOOK_BACK = 20;
const MAX_MARKS = 4;

/** Bytes of each kind stand for tokens. */
export interface CacheUse {
  fresh: number;
  cached: number;
  written: number;
}

export class PromptCache {
  private readonly stored = new Set<string>();

  /** Reads and stores the marked parts of a request. Throws when it has more marks than the API takes. */
  use(body: Body): CacheUse {
    const parts = partsOf(body);
    const marks = parts.flatMap(({ isMarked }, i) => (isMarked ? [i] : []));
    if (marks.length > MAX_MARKS) throw new Error(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`);
    const prefixes = parts.map((_, i) =>
      parts
        .slice(0, i + 1)
        .map(({ json }) => json)
        .join('\n'),
    );
    const found = marks.flatMap(mark =>
      prefixes.slice(Math.max(0, mark - LOOK_BACK + 1), mark + 1).filter(prefix => this.stored.has(prefix)),
    );
    const cached = Math.max(0, ...found.map(({ length }) => length));
    const last = marks.at(-1);
    const marked = last === undefined ? 0 : (prefixes[last]?.length ?? 0);
    for (const mark of marks) this.stored.add(prefixes[mark] ?? '');
    const whole = prefixes.at(-1)?.length ?? 0;
    return { cached, written: Math.max(0, marked - cached), fresh: whole - Math.max(marked, cached) };
  }
}
