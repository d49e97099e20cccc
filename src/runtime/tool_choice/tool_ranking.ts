/** Ranks tools by how well they fit what a person asks, from their names, texts and keywords in both languages (BM25 of minisearch). */
import MiniSearch, { type SearchResult } from 'minisearch';
import type { ToolSpec } from '../../tools/common';
import { toEmbeddingCandidate } from '../../tools/tool_exports';
import { clipStart } from '../../utils/clip_text';
import type { RankedTool } from './choose_tools';
import { rankingTokens } from './ranking_tokens';

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
/** A common word of a group says less than the word itself. */
const GROUP_WEIGHT = 0.9;
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
    const asked = tokensOf(message);
    const planned = tokensOf(plan).filter(token => !asked.includes(token));
    const terms = [...asked, ...planned];
    if (terms.length === 0) return [];
    const weightOf = (term: string, i: number) => (i < asked.length ? 1 : PLAN_WEIGHT) * (term.startsWith('#') ? GROUP_WEIGHT : 1);
    const found = this.index.search(terms.join(SEPARATOR), { boostTerm: weightOf });
    return this.withSiblings(found.filter(isTelling).map(({ id, score }) => ({ name: String(id), score })));
  }

  private withSiblings(found: readonly RankedTool[]): RankedTool[] {
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
    const highest = all[0]?.score ?? 1;
    return all.map(({ name, score }) => ({ name, score: Math.round((1_000 * score) / highest) / 1_000 }));
  }
}

/** One word somewhere in a description can be chance. */
const isTelling = ({ match }: SearchResult): boolean =>
  Object.keys(match).length > 1 ||
  Object.entries(match).some(([term, fields]) => term.startsWith('#') || fields.some(field => field !== 'body'));

const tokensOf = (text: string): string[] => [...new Set(rankingTokens(clipStart(text, MAX_QUERY_UNITS)))].slice(0, MAX_QUERY_TOKENS);

function toIndexed(tool: ToolSpec): IndexedTool {
  const texts = [toEmbeddingCandidate(tool).text, ...(tool.translations ? [toEmbeddingCandidate(tool, 'zh-CN').text] : [])];
  const titles = texts.map(text => text.split('\n', 1)[0] ?? '');
  const bodies = texts.map(text => text.slice(text.indexOf('\n') + 1));
  const keywords = [...(tool.keywords?.en ?? []), ...(tool.keywords?.['zh-CN'] ?? [])];
  const toTerms = (parts: readonly string[]) => rankingTokens(parts.join('\n')).join(SEPARATOR);
  return { id: tool.name, title: toTerms([...titles, tool.toolset]), keywords: toTerms(keywords), body: toTerms(bodies) };
}
