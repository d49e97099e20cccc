/** Ranks the tools of servers and manifests by how near their meaning is to a message, with an embedding model. */
import { LRUCache } from 'lru-cache';
import { isForeign } from '../../runtime/tool_assembler';
import type { RankedMessage, RankedTool } from '../../service/agent/tool_choice';
import type { EmbeddingService } from '../../service/embedding/embedding_service';
import { fuseRankings, similarity } from '../../service/embedding/similarity';
import type { ToolSpec } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import { toEmbeddingCandidate } from '../../tools/tool_exports';
import { clipStart } from '../../utils/clip_text';
import { KeyedLock } from '../../utils/keyed_lock';

export interface ToolMeaningsDeps {
  embeddings: EmbeddingService;
  tools: ToolRegistry;
}

/** Milliseconds that the start of a run waits for the vector of its message. */
const TIMEOUT_MS = 500;
const MAX_MESSAGE_UNITS = 4_000;
const MAX_KEPT = 128;
const MAX_NEAR = 20;
/**
 * A tool is near when its similarity stands this many standard deviations above the mean of all tools. A fixed similarity would not do, because
 * models differ in the similarity of unrelated texts.
 */
const LEAST_DEVIATION = 1.5;
/** Deviations of a score of 1. A quarter of them, which a later message of a session needs to add a tool, is rare by chance. */
const FULL_DEVIATION = 12;
/** While a smaller share of the tools has vectors, tools are not compared: those with a vector would win because they came first. */
const LEAST_KNOWN = 0.8;

export class ToolMeanings {
  /** Version of the registry, tenant and message -> near tools, best first. */
  private readonly rankings = new LRUCache<string, readonly RankedTool[]>({ max: MAX_KEPT });
  private readonly locks = new KeyedLock();
  private texts: { version: number; textsOf: ReadonlyMap<string, readonly string[]> } | undefined;

  constructor(private readonly deps: ToolMeaningsDeps) {}

  get isEnabled(): boolean {
    return this.deps.embeddings.isEnabled;
  }

  /**
   * Ranks the tools for a message, which `rankingFor` returns then. Waits for the server for half a second at most, so never call it in a
   * transaction. Calls for the same session end in their order, so that its messages keep theirs. Never rejects.
   */
  prepareRanking({ tenantId, message }: RankedMessage, sessionId: string | undefined): Promise<void> {
    const work = () => this.rank({ tenantId, message: clipStart(message, MAX_MESSAGE_UNITS) });
    return sessionId === undefined ? work() : this.locks.run(sessionId, work);
  }

  /** Returns undefined while there is no ranking for the message: it was not prepared, the server failed, or the tools have no vectors yet. */
  rankingFor({ tenantId, message }: RankedMessage): readonly RankedTool[] | undefined {
    return this.rankings.get(this.keyOf({ tenantId, message: clipStart(message, MAX_MESSAGE_UNITS) }));
  }

  private keyOf({ tenantId, message }: RankedMessage): string {
    return `${this.deps.tools.version}\n${tenantId}\n${message}`;
  }

  private async rank({ tenantId, message }: RankedMessage): Promise<void> {
    const { embeddings } = this.deps;
    const key = this.keyOf({ tenantId, message });
    if (message.trim() === '' || this.rankings.has(key)) return;
    const textsOf = this.toolTexts();
    const [wanted, known] = await Promise.all([
      embeddings.queryVector(message, tenantId, TIMEOUT_MS),
      embeddings.vectorsFor([...textsOf.values()].flat()),
    ]);
    if (!wanted) return;
    const scores = new Map<string, number>();
    for (const [name, texts] of textsOf) {
      const vectors = texts.flatMap(text => known.get(text) ?? []);
      if (vectors.length > 0) scores.set(name, Math.max(...vectors.map(vector => similarity(wanted, vector))));
    }
    if (scores.size >= LEAST_KNOWN * textsOf.size) this.rankings.set(key, nearest(scores));
  }

  /** Texts of each tool, in every language that it has; made once for each version of the registry. */
  private toolTexts(): ReadonlyMap<string, readonly string[]> {
    const { tools } = this.deps;
    if (this.texts?.version !== tools.version) {
      const found = tools.list().filter(isForeign);
      this.texts = { version: tools.version, textsOf: new Map(found.map(tool => [tool.name, textsOf(tool)])) };
    }
    return this.texts.textsOf;
  }
}

/** Mixes the ranking by words with the one by meaning; a tool has the better of its scores. */
export function mixRankings(worded: readonly RankedTool[], near: readonly RankedTool[]): RankedTool[] {
  const scores = new Map<string, number>();
  for (const { name, score } of [...worded, ...near]) scores.set(name, Math.max(score, scores.get(name) ?? 0));
  const namesOf = (ranking: readonly RankedTool[]) => ranking.map(({ name }) => name);
  return fuseRankings(namesOf(worded), namesOf(near)).map(name => ({ name, score: scores.get(name) ?? 0 }));
}

function textsOf(tool: ToolSpec): string[] {
  const english = toEmbeddingCandidate(tool).text;
  return tool.translations ? [english, toEmbeddingCandidate(tool, 'zh-CN').text] : [english];
}

function nearest(scores: ReadonlyMap<string, number>): RankedTool[] {
  const values = [...scores.values()];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  // Vectors that cannot be compared, or that are all alike, say nothing.
  if (!(deviation > 1e-6)) return [];
  return [...scores]
    .map(([name, score]) => ({ name, deviations: (score - mean) / deviation }))
    .filter(({ deviations }) => deviations >= LEAST_DEVIATION)
    .sort((a, b) => b.deviations - a.deviations)
    .slice(0, MAX_NEAR)
    .map(({ name, deviations }) => ({ name, score: Math.round(1_000 * Math.min(1, deviations / FULL_DEVIATION)) / 1_000 }));
}
