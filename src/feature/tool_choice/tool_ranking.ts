/** Ranks tools by how well they fit what a person asks, from their names, texts and keywords in both languages (BM25 of minisearch). */
import MiniSearch, { type SearchResult } from 'minisearch';
import type { RankedTool } from '../../service/agent/tool_choice';
import type { ToolSpec } from '../../tools/common';
import { toEmbeddingCandidate } from '../../tools/tool_exports';
import { clipStart } from '../../utils/clip_text';
import { requestTokens, toolTokens } from './ranking_tokens';

export interface RankingQuery {
  /** The latest message of the person. */
  message: string;
  /** Open steps of the plan; they count less than the message. */
  plan?: string;
}

interface IndexedTool {
  id: string;
  title: string;
  keywords: string;
  body: string;
}

const MAX_QUERY_UNITS = 4_000;
const MAX_QUERY_TOKENS = 96;
const PLAN_WEIGHT = 0.2;
/** Share of its score that a tool keeps when the words that it shares with the request can be chance; the best tool gets this share of 1 then. */
const CHANCE_SHARE = 0.2;
/** Weight of a word in a description, where common words such as `new` can stand. */
const DESCRIPTION_WEIGHT = 0.3;
/** Weight of shared words below which they can be chance. */
const LEAST_EVIDENCE = 1.2;
/** Share of the best score of its toolset that a tool gets: a request about mail may need any of the mail tools. */
const SIBLING_SHARE = 0.3;
const SEPARATOR = ' ';

export class ToolRanking {
  private readonly index: MiniSearch<IndexedTool>;
  private readonly toolsets = new Map<string, string[]>();
  private readonly toolsetOf = new Map<string, string>();

  constructor(tools: readonly ToolSpec[]) {
    this.index = new MiniSearch<IndexedTool>({
      fields: ['title', 'keywords', 'body'],
      tokenize: text => text.split(SEPARATOR),
      processTerm: term => (term === '' ? null : term),
      searchOptions: { boost: { title: 3, keywords: 3, body: 1 } },
    });
    this.index.addAll(tools.map(toIndexed));
    for (const { name, toolset } of tools) {
      this.toolsets.set(toolset, [...(this.toolsets.get(toolset) ?? []), name]);
      this.toolsetOf.set(name, toolset);
    }
  }

  /** Returns the tools that have a word in common with the query, and the others of their toolsets, best first. */
  rank({ message, plan = '' }: RankingQuery): RankedTool[] {
    const weights = requestTokens(clipStart(message, MAX_QUERY_UNITS));
    for (const [token, weight] of requestTokens(clipStart(plan, MAX_QUERY_UNITS))) {
      if (!weights.has(token)) weights.set(token, PLAN_WEIGHT * weight);
    }
    const terms = [...weights.keys()].slice(0, MAX_QUERY_TOKENS);
    if (terms.length === 0) return [];
    const found = this.index.search(terms.join(SEPARATOR), { boostTerm: term => weights.get(term) ?? 0 });
    const evidence = found.map(result => evidenceOf(result, weights));
    const scored = found.map(({ id, score }, i) => ({ name: String(id), score: score * (evidence[i] === 0 ? CHANCE_SHARE : 1) }));
    return this.withSiblings(scored, evidence.some(weight => weight >= LEAST_EVIDENCE) ? 1 : CHANCE_SHARE);
  }

  /** `highest`: the score that the best tool gets. */
  private withSiblings(found: readonly RankedTool[], highest: number): RankedTool[] {
    const own = new Map(found.map(({ name, score }) => [name, score]));
    const best = new Map<string, number>();
    for (const { name, score } of found) {
      const toolset = this.toolsetOf.get(name) ?? '';
      best.set(toolset, Math.max(best.get(toolset) ?? 0, score));
    }
    const all = [...best].flatMap(([toolset, top]) =>
      (this.toolsets.get(toolset) ?? []).map(name => ({ name, score: (own.get(name) ?? 0) + SIBLING_SHARE * top })),
    );
    all.sort((a, b) => b.score - a.score);
    const scale = highest / (all[0]?.score ?? 1);
    return all.map(({ name, score }) => ({ name, score: Math.round(1_000 * score * scale) / 1_000 }));
  }
}

/** Returns the weight of the words that a tool shares with the request; 0 for a single word somewhere in a description. */
function evidenceOf({ match }: SearchResult, weights: ReadonlyMap<string, number>): number {
  const isInBodyAlone = (term: string) => !term.startsWith('#') && match[term]?.every(field => field === 'body') === true;
  const terms = Object.keys(match);
  if (terms.length === 1 && terms.every(isInBodyAlone)) return 0;
  return terms.reduce((sum, term) => sum + (isInBodyAlone(term) ? DESCRIPTION_WEIGHT : 1) * (weights.get(term) ?? 0), 0);
}

function toIndexed(tool: ToolSpec): IndexedTool {
  const texts = [toEmbeddingCandidate(tool).text, ...(tool.translations ? [toEmbeddingCandidate(tool, 'zh-CN').text] : [])];
  const titles = texts.map(text => text.split('\n', 1)[0] ?? '');
  const bodies = texts.map(text => text.slice(text.indexOf('\n') + 1));
  const keywords = [...(tool.keywords?.en ?? []), ...(tool.keywords?.['zh-CN'] ?? [])];
  const toTerms = (parts: readonly string[]) => toolTokens(parts.join('\n')).join(SEPARATOR);
  return { id: tool.name, title: toTerms([...titles, tool.toolset]), keywords: toTerms(keywords), body: toTerms(bodies) };
}
