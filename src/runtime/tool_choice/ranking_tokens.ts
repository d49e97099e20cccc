/** Splits texts of tools and people into the tokens by which tools are ranked: stems of words, pairs of Chinese characters, and word groups. */
import { isCommonWord } from '../../utils/common_words';
import { searchTokens } from '../../utils/search_tokens';
import { WORD_GROUPS } from './word_groups';

const ASCII_WORD = /^[a-z0-9]+$/;
const CAMEL_CASE = /([a-z0-9])([A-Z])/g;
const NAME_SIGNS = /[_-]+/g;
const ENDING = /(?:ing|ed|ion|ly|er|or)$/;
const LEAST_STEM = 3;

/** Things that people write without their name: PAY-17, #general, B2, ann@example.com, an address. */
const SHAPES: readonly [RegExp, string][] = [
  [/\b[A-Z]{2,10}-\d+\b/, 'ticket'],
  [/(?:^|\s)#[a-z][\w-]*/, 'channel'],
  [/\b[A-Z]{1,2}[1-9]\d{0,3}\b/, 'cell'],
  [/\S@\S+\.\w/, 'email'],
  [/https?:\/\//, 'url'],
];

/** Returns the tokens of a text; words without a subject are left out. A token that begins with # stands for a word group. */
export function rankingTokens(text: string): string[] {
  const plain = text.replace(CAMEL_CASE, '$1 $2').replace(NAME_SIGNS, ' ');
  const named = SHAPES.flatMap(([shape, name]) => (shape.test(text) ? [name] : []));
  const words = [...searchTokens(plain).map(token => token.text), ...named]
    .filter(word => !isCommonWord(word) && (word.length > 1 || /\d/.test(word)))
    .map(stem);
  return [...words, ...groupsOf(plain, words)];
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

function groupsOf(text: string, words: readonly string[]): string[] {
  const groups = new Set<string>();
  for (const word of words) for (const group of lexicon.english.get(word) ?? []) groups.add(group);
  for (const [term] of text.matchAll(lexicon.chinesePattern)) for (const group of lexicon.chinese.get(term) ?? []) groups.add(group);
  return [...groups];
}

const lexicon = readGroups();

function readGroups() {
  const english = new Map<string, string[]>();
  const chinese = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, word: string, group: string) => map.set(word, [...(map.get(word) ?? []), group]);
  for (const [i, row] of WORD_GROUPS.entries()) {
    const [en = '', zh = ''] = row.split(' | ');
    for (const { text } of searchTokens(en)) add(english, stem(text), `#${i}`);
    for (const word of zh.split(/ +/).filter(Boolean)) add(chinese, word, `#${i}`);
  }
  const longestFirst = [...chinese.keys()].sort((a, b) => b.length - a.length);
  return { english, chinese, chinesePattern: new RegExp(longestFirst.join('|'), 'g') };
}
