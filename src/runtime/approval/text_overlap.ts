/** Compares a text with others by its words: was the text taken from them, or do they give it away? Words that a person said do not count. */
import { isCommonWord } from '../../utils/common_words';
import { toCheckedText } from '../../utils/plain_text';
import { searchTokens } from '../../utils/search_tokens';

/** The share of a text's distinctive words that must stand in the other texts, and in nothing that a person said. */
const HELD_SHARE = 0.5;
/** Number of distinctive words in a row that make a quotation. */
const ROW_WORDS = 4;
const ADDRESS = /https?:\/\/[^\s"'<>()，。；]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Words with which memories begin. They say nothing about the source of a text. */
const MEMORY_WORDS = new Set('user person prefer like love remember use always never fact 用户 喜欢 偏好 记住 使用 总是'.split(' '));

export class TextOverlap {
  private readonly said: ReadonlySet<string>;
  private readonly saidTexts: readonly string[];

  /** `personTexts`: texts of the person. */
  constructor(personTexts: readonly string[]) {
    this.said = wordsOf(personTexts);
    this.saidTexts = personTexts.map(text => text.toLowerCase());
  }

  /**
   * Returns, for each content, whether it holds the text. Only words that the person did not say count. Contents hold a text when together they have
   * at least half of its distinctive words, or when one of them has several in a row, or an address.
   */
  holdersOf(text: string, contents: readonly CheckedContent[]): boolean[] {
    const words = tellingWords(text);
    const unsaid = [...words].filter(word => !this.said.has(word));
    const isUnsaid = (address: string) => !this.saidTexts.some(said => said.includes(address));
    const parts: TextParts = { unsaid, rows: rowsOf(text, new Set(unsaid)), addresses: addressesIn(text).filter(isUnsaid) };
    const found = contents.map(content => findParts(parts, content));
    const isHeld = new Set(found.flatMap(({ held }) => held)).size >= Math.max(1, words.size * HELD_SHARE);
    return found.map(({ held, isQuoted }) => isQuoted || (isHeld && held.length > 0));
  }

  /** Returns true when the person said at least half of the distinctive words of the text. */
  isSaid(text: string): boolean {
    const words = tellingWords(text);
    const said = [...words].filter(word => this.said.has(word));
    return said.length >= Math.max(1, words.size * HELD_SHARE);
  }

  /** Returns true when the person said one of the distinctive words of the text. */
  isMentioned(text: string): boolean {
    return [...tellingWords(text)].some(word => this.said.has(word));
  }
}

/** A content, prepared for several comparisons. */
export interface CheckedContent {
  words: readonly string[];
  all: ReadonlySet<string>;
  /** The content in lower case, to look for addresses. */
  plain: string;
}

export function toCheckedContent(content: string): CheckedContent {
  const words = wordListOf(content);
  return { words, all: new Set(words), plain: toCheckedText(content).toLowerCase() };
}

/** The parts of a text that the person did not say: distinctive words, rows of such words, and addresses. */
interface TextParts {
  unsaid: readonly string[];
  rows: ReadonlySet<string>;
  addresses: readonly string[];
}

function findParts({ unsaid, rows, addresses }: TextParts, { words, all, plain }: CheckedContent): { held: string[]; isQuoted: boolean } {
  const isRow = (i: number) => rows.has(rowAt(words, i));
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

/** Chinese text is split into overlapping pairs, so a phrase has more pairs than words. */
const rowLength = (first = ''): number => (/^[\p{L}\p{N}]{1,2}$/u.test(first) && /\P{ASCII}/u.test(first) ? 2 * ROW_WORDS : ROW_WORDS);

const addressesIn = (text: string): string[] => toCheckedText(text).toLowerCase().match(ADDRESS) ?? [];

const wordListOf = (text: string): string[] => searchTokens(toCheckedText(text)).map(token => token.text);

const wordsOf = (texts: readonly string[]): Set<string> => new Set(texts.flatMap(wordListOf));

/** Returns the distinctive words of a text; when it has none, all words. */
function tellingWords(text: string): ReadonlySet<string> {
  const all = wordsOf([text]);
  const telling = new Set([...all].filter(word => !isCommonWord(word) && !MEMORY_WORDS.has(word)));
  return telling.size > 0 ? telling : all;
}
