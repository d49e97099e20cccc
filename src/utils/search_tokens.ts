/**
 * Splits text into search tokens, the same for what is stored and for what is asked. The store indexes the tokens instead of the text, because
 * FTS5's own tokenizers find no two-character Chinese words.
 *
 * A word gives one token: lower case, without accents, without the `s` of a plural (the S-stemmer of Harman, 1991). A run of Chinese, Japanese
 * or Korean characters gives every pair of neighbours and, for its end, the last character: 我喜欢 gives 我喜, 喜欢 and 欢. So each character
 * begins exactly one token, and a single character is found as the prefix of a token. A token holds letters, digits and marks only, no sign
 * that a search engine could take for syntax.
 */
import { clipStart } from './clip_text';
import { isCommonWord } from './common_words';

export interface SearchToken {
  text: string;
  /** The place of the token in the source: [start, end) in UTF-16 units, before lower case and accents were changed. */
  start: number;
  end: number;
}

/** Tokens that must stand side by side, in this order. */
export interface SearchTerm {
  tokens: readonly string[];
  /** The last token may be the beginning of a longer one. */
  isPrefix: boolean;
}

/** `all`: every word and every run of characters must occur, in order where the query joins them. `any`: one token is enough. */
export type MatchMode = 'all' | 'any';

interface Run {
  text: string;
  start: number;
  isCjk: boolean;
}

/** The most units of a token; longer words (base64, minified code) are compared by their first units. */
const MAX_TOKEN_UNITS = 64;
const MAX_ANY_TOKENS = 48;

const LETTER = '[\\p{L}\\p{N}\\p{M}]';
const CJK = `(?:(?=${LETTER})[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}])`;
const WORD = `(?:(?!${CJK})${LETTER})+`;
const RUN = new RegExp(`(?<cjk>${CJK}+)|${WORD}(?:['\u2019](?:s|t|d|m|re|ve|ll)(?!${LETTER}))?`, 'giu');
const ACCENTS = /[\u0300-\u036f]/g;
const NOT_LETTERS = new RegExp(`(?!${LETTER}).`, 'gsu');
const QUERY_PART = /"([^"]*)"|([^\s"]+)/g;

/** Returns the tokens in the order of the text. Takes time proportional to the length of the text. */
export function searchTokens(text: string): SearchToken[] {
  return runsOf(text).flatMap(tokensOfRun);
}

/**
 * Returns the distinct terms of what a person or a model typed; none when the query holds no letter and no digit. Signs in the query have no
 * meaning, except that "quoted words" must stand side by side in mode `all`. In mode `all` the last word also matches as a prefix when
 * `lastIsPrefix` is set, for a search that runs while a person types. Mode `any` reads the first 48 tokens and leaves out words without a
 * subject, such as "the" and 什么, unless the query has no others.
 */
export function searchTerms(query: string, mode: MatchMode, { lastIsPrefix = false } = {}): SearchTerm[] {
  const terms = mode === 'all' ? phrasesOf(query, lastIsPrefix) : tokenTerms(query);
  return [...new Map(terms.map(term => [`${term.tokens.join(' ')}${term.isPrefix ? ' *' : ''}`, term])).values()];
}

function runsOf(text: string): Run[] {
  return Array.from(text.matchAll(RUN), match => ({ text: match[0], start: match.index, isCjk: match.groups?.['cjk'] !== undefined }));
}

function tokensOfRun(run: Run): SearchToken[] {
  if (!run.isCjk) {
    const text = toWord(run.text);
    return text === '' ? [] : [{ text, start: run.start, end: run.start + run.text.length }];
  }
  const characters = cjkCharacters(run);
  return characters.map((character, i) => {
    const next = characters[i + 1];
    return next ? { text: character.text + next.text, start: character.start, end: next.end } : character;
  });
}

/** Returns each character in its compatibility form (half-width ｶ becomes カ), with offsets in the source. */
function cjkCharacters({ text, start }: Run): SearchToken[] {
  let end = start;
  return Array.from(text, character => {
    end += character.length;
    return { text: toLetters(character.normalize('NFKC')), start: end - character.length, end };
  }).filter(character => character.text !== '');
}

function toWord(text: string): string {
  const plain = text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase();
  return clipStart(withoutPlural(toLetters(plain)), MAX_TOKEN_UNITS);
}

const toLetters = (text: string): string => text.replace(NOT_LETTERS, '');

function withoutPlural(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (word.endsWith('ies')) return /[ae]ies$/.test(word) ? word : `${word.slice(0, -3)}y`;
  if (word.endsWith('es')) return /[aeo]es$/.test(word) ? word : word.slice(0, -1);
  return /[us]s$/.test(word) ? word : word.slice(0, -1);
}

/** One term for the words that stand together (`foo.ts`, "quoted words") and one for each run of CJK characters. */
function phrasesOf(query: string, lastIsPrefix: boolean): SearchTerm[] {
  const phrases: SearchTerm[] = [];
  for (const [, quoted, plain = ''] of query.matchAll(QUERY_PART)) {
    let words: string[] = [];
    const endWords = () => {
      if (words.length > 0) phrases.push({ tokens: words, isPrefix: false });
      words = [];
    };
    for (const run of runsOf(quoted ?? plain)) {
      const tokens = tokensOfRun(run).map(token => token.text);
      if (!run.isCjk) {
        words.push(...tokens);
        continue;
      }
      endWords();
      if (tokens.length > 0) phrases.push(toCjkTerm(tokens));
    }
    endWords();
  }
  const last = phrases.at(-1);
  if (lastIsPrefix && last) last.isPrefix = true;
  return phrases;
}

function tokenTerms(query: string): SearchTerm[] {
  const terms = runsOf(query).flatMap(run => {
    const tokens = tokensOfRun(run).map(token => token.text);
    if (run.isCjk && tokens.length === 1) return toCjkTerm(tokens);
    return (run.isCjk ? tokens.slice(0, -1) : tokens).map(token => ({ tokens: [token], isPrefix: false }));
  });
  const telling = terms.filter(({ tokens: [token = ''] }) => !isCommonWord(token));
  const chosen = telling.length > 0 ? telling : terms;
  return [...new Map(chosen.map(term => [term.tokens[0], term])).values()].slice(0, MAX_ANY_TOKENS);
}

/** Without the last character, which the stored text may continue: 使用 is found in 使用率. One character alone is a prefix. */
const toCjkTerm = (tokens: readonly string[]): SearchTerm =>
  tokens.length === 1 ? { tokens, isPrefix: true } : { tokens: tokens.slice(0, -1), isPrefix: false };
