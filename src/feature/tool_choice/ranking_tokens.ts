/** Splits texts of tools and people into the tokens by which tools are ranked: stems of words, pairs of Chinese characters, and word groups. */
import { isCommonWord } from '../../utils/common_words';
import { searchTokens } from '../../utils/search_tokens';
import { WORD_GROUPS } from './word_groups';

const ASCII_WORD = /^[a-z0-9]+$/;
const CAMEL_CASE = /([a-z0-9])([A-Z])/g;
const NAME_SIGNS = /[_-]+/g;
const ENDING = /(?:ing|ed|ion|ly|er|or)$/;
const LEAST_STEM = 3;

/** A word that counts in requests alone is a weaker sign of its group. */
const ASKED_WORD_WEIGHT = 0.7;
/** A group weighs more than a single word, because tools share the group even when they do not share the person's words. */
const GROUP_WEIGHT = 1.3;
/** The most words of one group in a request that count; several words make the group surer. */
const MAX_GROUP_WORDS = 3;

/** Shapes of things that people write without naming their kind: PAY-17, #general, B2, ann@example.com, an address, cart:42. */
const SHAPES: readonly [RegExp, string][] = [
  [/\b[A-Z]{2,10}-\d+\b/, 'ticket'],
  [/(?:^|\s)#[a-z][\w-]*/, 'channel'],
  [/\b[A-Z]{1,2}[1-9]\d{0,3}\b/, 'cell'],
  [/\S@\S+\.\w/, 'email'],
  [/https?:\/\//, 'url'],
  [/(?:^|[^\w:/])[a-z][\w-]*:[\w-]+/i, 'cache'],
];

/** A group that a word belongs to. `isAsked`: the word counts in requests alone. */
interface Membership {
  group: string;
  isAsked: boolean;
}

/** Returns the tokens of a text of a tool. A token that begins with # stands for a word group. */
export function toolTokens(text: string): string[] {
  const plain = toPlainText(text);
  const words = wordsOf(text, plain);
  const groups = membershipsOf(plain, words).flatMap(memberships => memberships.filter(({ isAsked }) => !isAsked));
  return [...words, ...new Set(groups.map(({ group }) => group))];
}

/** Returns the tokens of what a person wrote and their weights. A word of many groups is a weak sign of each of them. */
export function requestTokens(text: string): Map<string, number> {
  const plain = toPlainText(text);
  const words = wordsOf(text, plain);
  const weights = new Map(words.map(word => [word, 1]));
  for (const memberships of membershipsOf(plain, words)) {
    const share = GROUP_WEIGHT / Math.sqrt(memberships.length);
    for (const { group, isAsked } of memberships) {
      const weight = (weights.get(group) ?? 0) + share * (isAsked ? ASKED_WORD_WEIGHT : 1);
      weights.set(group, Math.min(MAX_GROUP_WORDS * GROUP_WEIGHT, weight));
    }
  }
  return weights;
}

const toPlainText = (text: string): string => text.replace(CAMEL_CASE, '$1 $2').replace(NAME_SIGNS, ' ');

/** Words without a subject are left out. */
function wordsOf(text: string, plain: string): string[] {
  const named = SHAPES.flatMap(([shape, name]) => (shape.test(text) ? [name] : []));
  return [...searchTokens(plain).map(token => token.text), ...named]
    .filter(word => !isCommonWord(word) && (word.length > 1 || /\d/.test(word)))
    .map(stem);
}

/** Cuts the ending of an English word, so that scheduled, scheduling and schedule are one token. Other words stay as they are. */
function stem(word: string): string {
  if (word.length < 5 || !ASCII_WORD.test(word)) return word;
  const cut = word.replace(ENDING, '');
  const base = cut.length < LEAST_STEM ? word : cut;
  return base
    .replace(/e$/, '')
    .replace(/y$/, 'i')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

/** Returns the groups of each different word of a text. */
function membershipsOf(plain: string, words: readonly string[]): (readonly Membership[])[] {
  const { english, chinese, chinesePattern } = readLexicon();
  const terms = new Set(Array.from(plain.matchAll(chinesePattern), ([term]) => term));
  return [...Array.from(new Set(words), word => english.get(word) ?? []), ...Array.from(terms, term => chinese.get(term) ?? [])];
}

const englishStems = (words: string): string[] => searchTokens(words).map(({ text }) => stem(text));
const spacedWords = (words: string): string[] => words.split(/ +/).filter(Boolean);

type Lexicon = ReturnType<typeof buildLexicon>;

let lexicon: Lexicon | undefined;

/** Builds the lexicon, which takes 1.2 MiB, with the first text: most gateways have no tools to choose from. */
function readLexicon(): Lexicon {
  lexicon ??= buildLexicon();
  return lexicon;
}

function buildLexicon() {
  const english = new Map<string, Membership[]>();
  const chinese = new Map<string, Membership[]>();
  for (const [i, row] of WORD_GROUPS.entries()) {
    const [en = '', zh = ''] = row.split(' | ');
    for (const [map, side, toWords] of [
      [english, en, englishStems],
      [chinese, zh, spacedWords],
    ] as const) {
      const [both = '', asked = ''] = side.split(' < ');
      for (const word of toWords(both)) addMembership(map, word, { group: `#${i}`, isAsked: false });
      for (const word of toWords(asked)) addMembership(map, word, { group: `#${i}`, isAsked: true });
    }
  }
  const longestFirst = [...chinese.keys()].sort((a, b) => b.length - a.length);
  return { english, chinese, chinesePattern: new RegExp(longestFirst.join('|'), 'g') };
}

/** Keeps the first membership of a word in a group, which is the stronger one. */
function addMembership(map: Map<string, Membership[]>, word: string, membership: Membership): void {
  const known = map.get(word) ?? [];
  if (!known.some(({ group }) => group === membership.group)) map.set(word, [...known, membership]);
}
