/**
 * Knows what the person said in the conversation and what the tools of the turn returned, so that a text which the model wants to keep for later
 * sessions can be traced: memory must not become a way in for instructions that a page or a file holds.
 */
import type { ChatMessage } from '../../port/llm';
import type { TaintSource } from '../../port/run_event';
import type { AgentTool, ToolSpec } from '../../tools/common';
import { clipStart } from '../../utils/clip_text';
import { isCommonWord } from '../../utils/common_words';
import { toCheckedText } from '../../utils/plain_text';
import { searchTokens } from '../../utils/search_tokens';

/** The share of the telling words of a text that the results must hold, and no person must have said. */
const HELD_SHARE = 0.5;
/** Telling words in a row that make a quotation. */
const ROW_WORDS = 4;
const ADDRESS = /https?:\/\/[^\s"'<>()，。；]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const MAX_SOURCE_UNITS = 200;

/** Words with which memories begin; they tell nothing about where a text came from. */
const MEMORY_WORDS = new Set('user person prefer like love remember use always never fact 用户 喜欢 偏好 记住 使用 总是'.split(' '));

interface Result {
  source: TaintSource;
  content: string;
}

type EndedCall = { id: string; tool: Pick<AgentTool, 'name' | 'reads' | 'memory' | 'asksPerson'>; args: unknown };

export class TurnTexts {
  private readonly results: Result[] = [];

  /** `personTexts`: what the person said in the conversation so far. */
  constructor(private readonly personTexts: string[]) {}

  /** Reads the results of a run that continues after an interruption. `messages`: those of the run. */
  addMessages(messages: readonly ChatMessage[], tools: ReadonlyMap<string, AgentTool>): void {
    const calls = new Map(
      messages.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).map(call => [call.id, call.function]),
    );
    for (const message of messages) {
      if (message.role !== 'tool') continue;
      const call = calls.get(message.tool_call_id);
      const tool = call && tools.get(call.name);
      if (tool) this.addResult({ id: message.tool_call_id, tool, args: parsed(call.arguments) }, message.content);
    }
  }

  /** Results of tools that keep or return memories do not count, and the answer of a person is what a person said. */
  addResult({ id, tool, args }: EndedCall, content: string): void {
    if (tool.asksPerson) this.addPersonText(content);
    else if (tool.memory === undefined) {
      const source = {
        toolCallId: id,
        tool: tool.name,
        kind: tool.reads === 'private' ? ('private' as const) : ('untrusted' as const),
        source: firstText(args),
      };
      this.results.push({ source, content });
    }
  }

  addPersonText(text: string): void {
    this.personTexts.push(text);
  }

  /**
   * Returns the calls whose results hold the text that a call would keep; undefined when no approval is needed. Only words count that stand in
   * nothing that the person said. Results hold a text when together they hold at least half of its telling words, or when one of them holds
   * several in a row, or an address.
   */
  sourcesOf({ tool, args }: { tool: Pick<ToolSpec, 'memory'>; args: unknown }): readonly TaintSource[] | undefined {
    const { text } = (args ?? {}) as { text?: unknown };
    if (tool.memory !== 'keeps' || typeof text !== 'string' || this.results.length === 0) return undefined;
    const words = tellingWords(text);
    const said = wordsOf(this.personTexts);
    const unsaid = [...words].filter(word => !said.has(word));
    const isUnsaid = (address: string) => !this.personTexts.some(said => said.toLowerCase().includes(address));
    const parts: TextParts = { unsaid, rows: rowsOf(text, new Set(unsaid)), addresses: addressesIn(text).filter(isUnsaid) };
    const found = this.results.map(({ source, content }) => ({ source, ...findParts(parts, content) }));
    const isHeld = new Set(found.flatMap(({ held }) => held)).size >= Math.max(1, words.size * HELD_SHARE);
    const holders = found.filter(({ held, isQuoted }) => isQuoted || (isHeld && held.length > 0));
    return holders.length > 0 ? holders.map(({ source }) => source) : undefined;
  }
}

/** The parts of a text that no person said: telling words, several of them in a row, addresses. */
interface TextParts {
  unsaid: readonly string[];
  rows: ReadonlySet<string>;
  addresses: readonly string[];
}

function findParts({ unsaid, rows, addresses }: TextParts, content: string): { held: string[]; isQuoted: boolean } {
  const words = wordListOf(content);
  const all = new Set(words);
  const isRow = (i: number) => rows.has(rowAt(words, i));
  const plain = addresses.length > 0 ? toCheckedText(content).toLowerCase() : '';
  return {
    held: unsaid.filter(word => all.has(word)),
    isQuoted: addresses.some(address => plain.includes(address)) || (rows.size > 0 && words.some((_, i) => isRow(i))),
  };
}

/** The words of a text that stand in a row of ROW_WORDS, all of them in `unsaid`, as one string each. */
function rowsOf(text: string, unsaid: ReadonlySet<string>): ReadonlySet<string> {
  const words = wordListOf(text);
  const isRow = (i: number) =>
    i + rowLength(words[i]) <= words.length && words.slice(i, i + rowLength(words[i])).every(word => unsaid.has(word));
  return new Set(words.flatMap((_, i) => (isRow(i) ? [rowAt(words, i)] : [])));
}

const rowAt = (words: readonly string[], i: number): string => words.slice(i, i + rowLength(words[i])).join(' ');

/** Pairs of Chinese characters overlap, so a phrase has more of them than words. */
const rowLength = (first = ''): number => (/^[\p{L}\p{N}]{1,2}$/u.test(first) && /\P{ASCII}/u.test(first) ? 2 * ROW_WORDS : ROW_WORDS);

const addressesIn = (text: string): string[] => toCheckedText(text).toLowerCase().match(ADDRESS) ?? [];

const wordListOf = (text: string): string[] => searchTokens(toCheckedText(text)).map(token => token.text);

const wordsOf = (texts: readonly string[]): Set<string> => new Set(texts.flatMap(wordListOf));

/** All words, when none of them is telling. */
function tellingWords(text: string): ReadonlySet<string> {
  const all = wordsOf([text]);
  const telling = new Set([...all].filter(word => !isCommonWord(word) && !MEMORY_WORDS.has(word)));
  return telling.size > 0 ? telling : all;
}

/** Returns the path, URL or command: the first text among the arguments. */
function firstText(args: unknown): string {
  const values = typeof args === 'object' && args !== null ? Object.values(args).flat() : [];
  return clipStart(values.find((value): value is string => typeof value === 'string') ?? '', MAX_SOURCE_UNITS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
