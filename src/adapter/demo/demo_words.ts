/** Small reading aids for plain English and Chinese: quotes, vague words, answers to choices, "this to that". */

/** Pieces in quotes become one private-use character each, so that separators inside them do not count. */
export interface HiddenQuotes {
  text: string;
  quotes: readonly { raw: string; inner: string }[];
}

const FIRST_MARK = 0xe000;
/** Longer texts are cut, so that quotes that never close cannot keep the patterns busy. */
const MAX_LENGTH = 16_000;
const MAX_ANSWER = 1_000;
/** One hidden quote, for use in patterns. */
export const MARK = '[\\uE000-\\uF8FF]';

/** Opening mark -> closing mark. */
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['```', '```'],
  ['`', '`'],
  ['"', '"'],
  ['“', '”'],
  ['‘', '’'],
  ['「', '」'],
  ['『', '』'],
  ['«', '»'],
  ["'", "'"],
]);

export function hideQuotes(text: string): HiddenQuotes {
  const plain = text.slice(0, MAX_LENGTH).replace(/[\uE000-\uF8FF]/g, '');
  const quotes: { raw: string; inner: string }[] = [];
  const neverClosed = new Set<string>();
  let hidden = '';
  for (let i = 0; i < plain.length; ) {
    const open = openingAt(plain, i);
    const end = open && !neverClosed.has(open) ? closingOf(plain, open, i + open.length) : -1;
    if (open && end < 0) neverClosed.add(open);
    if (!open || end < 0) {
      hidden += plain[i++];
      continue;
    }
    const inner = plain.slice(i + open.length, end);
    const next = end + (CLOSERS.get(open)?.length ?? 1);
    hidden += String.fromCharCode(FIRST_MARK + quotes.length);
    quotes.push({ raw: plain.slice(i, next), inner: open === '```' ? inner.replace(/^[a-z]*\n/, '') : inner });
    i = next;
  }
  return { text: hidden, quotes };
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);

function openingAt(text: string, i: number): string | undefined {
  const mark = text.startsWith('```', i) ? '```' : (text[i] ?? '');
  // An apostrophe inside a word opens nothing.
  return CLOSERS.has(mark) && !(mark === "'" && isLetter(text[i - 1])) ? mark : undefined;
}

function closingOf(text: string, open: string, from: number): number {
  const closer = CLOSERS.get(open) ?? open;
  let end = text.indexOf(closer, from);
  while (open === "'" && end >= 0 && isLetter(text[end + 1])) end = text.indexOf(closer, end + 1);
  return end;
}

/** The text with its quotes back; a text that is nothing but one quote loses the quote characters. */
export function showQuotes(text: string, quotes: HiddenQuotes['quotes']): string {
  const trimmed = text.trim();
  const at = (mark: string) => quotes[mark.charCodeAt(0) - FIRST_MARK];
  if (/^[\uE000-\uF8FF]$/.test(trimmed)) return at(trimmed)?.inner ?? '';
  return trimmed.replace(/[\uE000-\uF8FF]/g, mark => at(mark)?.raw ?? '');
}

/** Whether the text, apart from what it quotes, is Chinese, English, or neither. */
export function languageOf(text: string): 'en' | 'zh-CN' | undefined {
  const plain = hideQuotes(text).text;
  if (/\p{Script=Han}/u.test(plain)) return 'zh-CN';
  return /[a-z]{2}/i.test(plain) ? 'en' : undefined;
}

const VAGUE =
  /^(?:it|them|one|that|this|there|any|some|something|a|an|file|files|(?:one|any|some|which) of (?:them|these|those|the files)|(?:a|an|one|the|any|some|this|that|which|another) (?:single )?(?:text )?(?:file|one)|(?:a|an|one|the|any|some|this|that) (?:word|text|line|thing)s?|words?|text|which(?: one)?|(?:其中|里面|随便)?(?:的)?(?:某|任意|任|哪)?一?个?(?:文件|词|单词|字|地方)?(?:里面?|中)?|它|这个|那个|其中|哪个(?:文件)?|它们|(?:其中|某)(?:一个)?(?:的)?(?:文件)?)$/i;

/** Whether the words stand for a thing without naming it ("one of them", "其中一个"). */
export const isVague = (words: string): boolean => VAGUE.test(words.trim());

/** Without polite and closing marks around it. */
export function trimWords(words: string): string {
  return words
    .trim()
    .replace(/^[\s,，:：]+/, '')
    .replace(/(?:\s+please|\s+for me|吧|呢|吗|好吗)?[\s。！？；，!?;,]*$/iu, '')
    .replace(/(?<=[^\s./\\])\.$/, '')
    .trim();
}

export interface Replacement {
  from: string;
  to: string;
}

const ARROW = /^(?<from>.+?)\s*(?:->|=>|→|⇒|➜|＝>|－>)\s*(?<to>.+)$/su;
const TO_FIRST = [/^(?<from>.+?)\s+(?:to|into)\s+(?<to>.+)$/isu, /^(?<from>.+?)\s+(?:with|by|for|becomes?)\s+(?<to>.+)$/isu];
const CHINESE_TO = /^(?<from>.+?)\s*(?:改成|改为|改作|换成|换为|替换成|替换为|替换|变成|变为|改到)\s*(?<to>.+)$/su;
const LEADING_VERB = /^(?:please\s+)?(?:(?<withFirst>replace|substitute|swap)|change|rename|turn|edit|modify|update|correct|fix)\s+/iu;
const LEADING_VERB_ZH = /^(?:请|帮我)?(?:把|将|改|修改|替换|更改)?\s*/u;
const LEADING_NOUN = /^(?:the\s+)?(?:word|words|text|string|line|name|phrase)\s+(?=\S)|^(?:单词|词语|词|文字|文本|字)\s*[:：]?\s*(?=\S)/iu;

/** "hello to goodbye", "hello -> goodbye", "把 hello 改成 goodbye", with quotes of all kinds; undefined when it says no such thing. */
export function parseReplacement(text: string): Replacement | undefined {
  const hidden = hideQuotes(text);
  const pair = splitReplacement(trimWords(hidden.text.slice(0, MAX_ANSWER)));
  return pair && showPair(pair, hidden.quotes);
}

/** The pair with its quotes back; undefined when the text to find is empty. */
export function showPair({ from, to }: Replacement, quotes: HiddenQuotes['quotes']): Replacement | undefined {
  const shown = { from: showQuotes(from, quotes), to: showQuotes(to, quotes) };
  return shown.from === '' ? undefined : shown;
}

/** The same on a text whose quotes are hidden already, and they stay hidden. */
export function splitReplacement(text: string): Replacement | undefined {
  const withFirst = LEADING_VERB.exec(text)?.groups?.['withFirst'] !== undefined;
  const plain = text.replace(LEADING_VERB, '').replace(LEADING_VERB_ZH, '');
  for (const pattern of [ARROW, CHINESE_TO, ...(withFirst ? TO_FIRST.toReversed() : TO_FIRST)]) {
    const groups = pattern.exec(plain)?.groups;
    const from = trimWords((groups?.['from'] ?? '').replace(LEADING_NOUN, ''));
    const to = trimWords((groups?.['to'] ?? '').replace(LEADING_NOUN, ''));
    if (from && to && !isVague(from)) return { from, to };
  }
  return undefined;
}

const ORDINALS: readonly RegExp[] = [
  /^(?:the\s+)?(?:first|1st)\b|^第一|^一$/iu,
  /^(?:the\s+)?(?:second|2nd)\b|^第二|^二$/iu,
  /^(?:the\s+)?(?:third|3rd)\b|^第三|^三$/iu,
  /^(?:the\s+)?(?:fourth|4th)\b|^第四|^四$/iu,
];
const LAST = /^(?:the\s+)?last\b|^最后/iu;

/** The choice that an answer means: by its text, its number, its position, or by naming it in a sentence. */
export function matchChoice(answer: string, choices: readonly string[]): string | undefined {
  const hidden = hideQuotes(answer.slice(0, MAX_ANSWER));
  const words = trimWords(showQuotes(hidden.text, hidden.quotes));
  const plain = words.toLowerCase();
  const same = choices.find(choice => choice.toLowerCase() === plain);
  if (same) return same;
  const number = /^(?:#|no\.?\s*|number\s+|option\s+|选项?\s*|第\s*)?(\d+)\s*[.)、号个]?(?:个?文件|个)?$/iu.exec(plain)?.[1];
  if (number) return choices[Number(number) - 1];
  if (LAST.test(plain)) return choices.at(-1);
  const position = ORDINALS.findIndex(pattern => pattern.test(plain));
  if (position >= 0) return choices[position];
  return longest(choices.filter(choice => isNamedIn(plain, choice.toLowerCase())));
}

function isNamedIn(text: string, choice: string): boolean {
  const name = choice.split('/').at(-1) ?? choice;
  const stem = name.replace(/\.[^.]+$/, '');
  return text.includes(choice) || text.includes(name) || (stem !== '' && text.split(/[^\p{L}\p{N}_-]+/u).includes(stem));
}

const longest = (texts: readonly string[]): string | undefined => texts.toSorted((a, b) => b.length - a.length)[0];
