/** Checks new passwords: they must be long, and no word that everybody tries first. NIST SP 800-63B recommends to ask for nothing else. */
import { invalidField } from '../../errors';

const MIN_LENGTH = 12;

/** Beginnings of passwords of this length that lists of leaked passwords name again and again. */
const KNOWN = ['password', 'passw0rd', '123456', 'qwerty', 'letmein', 'welcome', 'iloveyou', 'abc123', 'admin', '111111', 'changeme'];

/** Throws `invalid_request` with the field and what to do. `own`: words that others know of the person, such as the e-mail address. */
export function checkPassword(password: string, own: readonly string[]): void {
  if ([...password].length < MIN_LENGTH) {
    throw invalidField(
      '/password',
      `must have at least ${MIN_LENGTH} characters; some words in a row are easy to keep in mind.`,
      `至少需要 ${MIN_LENGTH} 个字符；几个词连在一起容易记住。`,
    );
  }
  const lower = password.toLowerCase();
  const words = [...KNOWN, ...own.map(word => word.toLowerCase()).filter(word => word.length > 3)];
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), lower);
  if (rest.length >= MIN_LENGTH / 2 && new Set(lower).size > 4) return;
  throw invalidField(
    '/password',
    'is easy to guess: choose words that nobody connects with you.',
    '容易被猜到：请选择别人不会联想到你的词。',
  );
}
