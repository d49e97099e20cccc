/** From a request in plain English or Chinese to a list of intents, in the order they were asked for. */
import { FILLERS, INTENT_RULES, type IntentKind, POLITE, SEPARATORS } from './demo_intents';
import {
  type HiddenQuotes,
  hideQuotes,
  isVague,
  languageOf,
  type Replacement,
  showPair,
  showQuotes,
  splitReplacement,
  trimWords,
} from './demo_words';

export interface PlanItem {
  content: string;
  /** What the demo can do for it; empty when it only keeps the mark. */
  intents: Intent[];
}

/**
 * A `path` that is absent was not named ("one of them"), so it has to be asked for; `same` ("it") means the file that was spoken of last.
 * A list without a path means the workspace.
 */
export type Intent =
  | { kind: 'hello' | 'help' | 'thanks' }
  | { kind: 'list'; path?: string }
  | { kind: 'read'; path?: string; same?: true | undefined }
  | { kind: 'run'; command: string }
  | { kind: 'change'; path?: string; same?: true | undefined; pair?: Replacement }
  | { kind: 'write'; path: string; content?: string }
  | { kind: 'plan'; goal: string; items: PlanItem[] }
  | { kind: 'ask'; about: string; choices: string[] }
  | { kind: 'remember'; fact: string }
  | { kind: 'recall'; query: string }
  | { kind: 'unknown'; text: string };

/** Patterns are tried on at most this many characters (quotes count as one), so that no text can keep them busy. */
const MAX_PARSED = 2_000;
const MAX_PLAN_ITEMS = 20;

export function parseRequest(text: string): Intent[] {
  const { text: hidden, quotes } = hideQuotes(text);
  return mergeQuestions(parseClauses(hidden.slice(0, MAX_PARSED), quotes));
}

/** Whether the demo knows what to do with every part of the request. */
export const isUnderstood = (intents: readonly Intent[]): boolean => intents.length > 0 && intents.every(({ kind }) => kind !== 'unknown');

interface Match {
  kind: IntentKind;
  groups: Record<string, string | undefined>;
}

interface Clause {
  text: string;
  match?: Match;
}

/** Kinds whose last words are free, so that a following piece that says nothing by itself may belong to them. */
const OPEN_ENDED: readonly IntentKind[] = ['run', 'write', 'remember', 'recall', 'ask', 'change', 'plan'];

function parseClauses(text: string, quotes: HiddenQuotes['quotes']): Intent[] {
  return splitClauses(text).map(({ text: words, match }) =>
    match ? toIntent(match, quotes) : { kind: 'unknown', text: showQuotes(words, quotes) },
  );
}

function splitClauses(text: string): Clause[] {
  const pieces = text.split(SEPARATORS);
  const clauses: Clause[] = [];
  for (let i = 0; i < pieces.length; i += 2) {
    const words = pieces[i] ?? '';
    const separator = pieces[i - 1] ?? '';
    if (trimWords(words) === '' || (clauses.length > 0 && POLITE.test(trimWords(words)))) continue;
    const last = clauses.at(-1);
    const joined = last && `${last.text}${separator}${words}`;
    if (joined && last.match?.kind === 'plan') replaceLast(clauses, joined);
    else if (matchClause(words)) {
      if (joined && !last.match && matchClause(joined)) replaceLast(clauses, joined);
      else clauses.push({ text: words, match: matchClause(words) });
    } else if (joined && mayContinue(last, words) && matchClause(joined)) replaceLast(clauses, joined);
    else clauses.push({ text: words });
  }
  return clauses;
}

function replaceLast(clauses: Clause[], text: string): void {
  clauses[clauses.length - 1] = { text, match: matchClause(text) };
}

function mayContinue({ match }: Clause, words: string): boolean {
  if (!match) return true;
  return OPEN_ENDED.includes(match.kind) || (match.kind === 'list' && placeWords(words).length === 0);
}

function matchClause(text: string): Match | undefined {
  const words = trimWords(text);
  return matchRules(words) ?? matchRules(withoutFillers(words));
}

function withoutFillers(text: string): string {
  const shorter = text.replace(FILLERS, '');
  return shorter === text ? text : withoutFillers(shorter);
}

function matchRules(words: string): Match | undefined {
  const rules = languageOf(words) === 'zh-CN' ? [...INTENT_RULES['zh-CN'], ...INTENT_RULES.en] : INTENT_RULES.en;
  for (const { kind, pattern } of rules) {
    const found = pattern.exec(words);
    if (found) return { kind, groups: found.groups ?? {} };
  }
  return undefined;
}

function toIntent({ kind, groups }: Match, quotes: HiddenQuotes['quotes']): Intent {
  const shown = (words: string | undefined) => showQuotes(trimWords(words ?? ''), quotes);
  switch (kind) {
    case 'hello':
    case 'help':
    case 'thanks':
      return { kind };
    case 'list':
      return { kind, ...pathOf(placeOf(groups['rest'] ?? ''), quotes) };
    case 'read':
      return { kind, ...fileOf(groups['path'] ?? groups['named'], quotes) };
    case 'run':
      return { kind, command: shown(groups['command']) };
    case 'change':
      return { kind, ...fileOf(groups['path'], quotes), ...pairOf(groups, quotes) };
    case 'write': {
      const content = groups['content'] ?? groups['after'];
      return { kind, path: shown(groups['path'] ?? groups['named']), ...(content !== undefined && { content: shown(content) }) };
    }
    case 'plan':
      return toPlan(groups['rest'] ?? '', quotes);
    case 'ask':
      return { kind, about: shown(groups['about']), choices: choicesIn(groups['about'] ?? '').map(shown) };
    case 'remember':
      return { kind, fact: shown(groups['fact']) };
    case 'recall':
      return { kind, query: shown(groups['query']) };
  }
}

function pathOf(words: string | undefined, quotes: HiddenQuotes['quotes']): { path?: string } {
  const place = trimWords(words ?? '').replace(/^(?:the\s+)?file\s+(?=\S)|^the\s+|\s+file$/giu, '');
  return place === '' || isVague(place) ? {} : { path: showQuotes(place, quotes) };
}

function fileOf(words: string | undefined, quotes: HiddenQuotes['quotes']): { path?: string; same?: true | undefined } {
  return /^\s*(?:it|(?:this|that|the) (?:same )?file|它|(?:这个|那个)(?:文件)?)\s*$/iu.test(words ?? '')
    ? { same: true }
    : pathOf(words, quotes);
}

function pairOf(groups: Match['groups'], quotes: HiddenQuotes['quotes']): { pair?: Replacement } {
  const pair = splitReplacement(`${groups['verb'] ? `${groups['verb']} ` : ''}${groups['rest'] ?? ''}${groups['tail'] ?? ''}`);
  const shown = pair && showPair(pair, quotes);
  return shown ? { pair: shown } : {};
}

const PLACELESS = new Set(
  (
    'the a an all any every me my our your this that these those here there it its files file folder folders directory directories dir contents ' +
    'content workspace everything what which is are and in inside of under from at to please current working now do you we have see can with names name'
  ).split(' '),
);

const placeWords = (words: string): string[] =>
  words.split(/[\s,，。？?]+/u).filter(word => word !== '' && !/^-/.test(word) && !PLACELESS.has(word.toLowerCase()));

/** The directory that the words around "files" name, if any. */
function placeOf(words: string): string | undefined {
  if (/\p{Script=Han}/u.test(words)) return /[\w./~-]+|[\uE000-\uF8FF]/u.exec(words)?.[0];
  const named = placeWords(words);
  return named.length === 1
    ? named[0]
    : /\b(?:in|inside|under|of|from)\s+(?:the\s+)?(?:(?:folder|directory|dir)\s+)?(?<place>[^\s,]+)/iu.exec(words)?.groups?.['place'];
}

function choicesIn(about: string): string[] {
  const afterColon = /[:：](?<list>.+)$/su.exec(about)?.groups?.['list'];
  const source = afterColon ?? about.replace(/^(?:whether|if|which)\s+|^(?:要|选|喜欢|用|是)+/iu, '');
  const parts = source
    .split(/[,，、/]+|\s+or\s+|还是|或者|或/iu)
    .map(trimWords)
    .filter(part => part !== '');
  return parts.length > 1 ? parts.map(part => part.replace(/^or\s+/i, '')).slice(0, 4) : [];
}

function toPlan(rest: string, quotes: HiddenQuotes['quotes']): Intent {
  const listed = /^(?<goal>[^:：\n]*)[:：](?<items>.+)$/su.exec(rest)?.groups;
  const goal = trimWords(listed?.['goal'] ?? rest).replace(/^(?:to|for|of|about|how to)\s+/iu, '');
  const texts = listed ? splitItems(listed['items'] ?? '') : splitKnownSteps(goal);
  const items = texts.slice(0, MAX_PLAN_ITEMS).map(text => toPlanItem(text, quotes));
  return { kind: 'plan', goal: showQuotes(goal, quotes), items };
}

function splitItems(text: string): string[] {
  const tidy = (parts: string[]) =>
    parts.map(part => trimWords(part.replace(/^\s*(?:\d+[.)、]|[-*•])\s*/u, ''))).filter(part => part !== '');
  const strong = tidy(text.split(/[;；\n]+|\s(?=\d+[.)]\s)/u));
  return strong.length > 1 ? strong : tidy(text.split(/[,，、]+|\s+(?:and )?then\s+|然后|接着/iu));
}

/** A goal without listed items is a list of steps when the demo can do every part of it. */
function splitKnownSteps(goal: string): string[] {
  const clauses = splitClauses(goal);
  return clauses.every(({ match }) => match && match.kind !== 'plan') ? clauses.map(({ text }) => trimWords(text)) : [];
}

function toPlanItem(text: string, quotes: HiddenQuotes['quotes']): PlanItem {
  const talk: readonly Intent['kind'][] = ['unknown', 'hello', 'help', 'thanks', 'plan'];
  const intents = mergeQuestions(parseClauses(text, quotes));
  const content = quotes.reduce((words, { raw }, i) => words.replaceAll(String.fromCharCode(0xe000 + i), raw), text).slice(0, 200);
  return { content, intents: intents.some(({ kind }) => talk.includes(kind)) ? [] : intents };
}

/** "ask me which" says no more than the step that lacks something says by itself. */
function mergeQuestions(intents: Intent[]): Intent[] {
  const lacks = intents.some(
    intent =>
      (intent.kind === 'change' && (!intent.path || !intent.pair)) ||
      (intent.kind === 'read' && !intent.path) ||
      (intent.kind === 'write' && intent.content === undefined),
  );
  const isBare = (about: string) =>
    about === '' || /^(?:which|what|first|before|where|for)\b|^(?:改|读|写|要|想|是|选|用)*(?:哪|什么|谁|先)/iu.test(about);
  const kept = lacks ? intents.filter(intent => !(intent.kind === 'ask' && intent.choices.length === 0 && isBare(intent.about))) : intents;
  // Who wants to be asked does not mean the file of before.
  return kept.length === intents.length ? intents : kept.map(intent => ('same' in intent ? { ...intent, same: undefined } : intent));
}
