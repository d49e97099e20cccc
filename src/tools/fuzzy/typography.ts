import { canonicalText, isAscii } from './characters';
import type { Location } from './location';
import { isWord, sameToken } from './tokens';

/** Rewrites a token that only new_string has in the spelling the file uses for it. */
export type TokenSpelling = (token: string, before: string) => string;

const OPENING = /(^|[\s([{\u2014])$/;
const OPENING_QUOTES = /[\u2018\u201c\u00ab]/;

/**
 * Learns from the tokens of old and their counterparts in the file: a token that never stands for itself is written as
 * its counterpart; if old is typographic where the file is plain ASCII, all typography of new becomes plain.
 */
export function learnSpelling(location: Location): TokenSpelling {
  const learned = new Map<string, Set<string>>();
  let plainFile = true;
  let typographicOld = false;
  let form: 'NFC' | 'NFD' | undefined;
  location.old.tokens.forEach((token, i) => {
    const target = location.file.tokens[location.oldToFile[i] ?? -1];
    if (!target) return;
    learned.set(token.text, (learned.get(token.text) ?? new Set()).add(target.text));
    if (token.text === target.text) return;
    plainFile &&= isAscii(target.text);
    typographicOld ||= !isAscii(token.text) && sameToken(token, target);
    form ??= normalForm(token.text, target.text);
  });
  return (token, before) => {
    const counterparts = learned.get(token);
    if (counterparts && !counterparts.has(token)) return choose([...counterparts], before);
    if (isAscii(token)) return token;
    if (typographicOld && plainFile && !isWord({ start: 0, end: 0, text: token, key: token, line: 0 })) return toPlain(token);
    return form ? token.normalize(form) : token;
  };
}

function normalForm(old: string, file: string): 'NFC' | 'NFD' | undefined {
  if (old.normalize('NFC') === file) return 'NFC';
  return old.normalize('NFD') === file ? 'NFD' : undefined;
}

function choose(candidates: string[], before: string): string {
  const opening = OPENING.test(before.slice(-1));
  return candidates.find(candidate => OPENING_QUOTES.test(candidate) === opening) ?? candidates[0]!;
}

function toPlain(token: string): string {
  const plain = canonicalText(token);
  return isAscii(plain) ? plain : token;
}
