/** Tells what is wrong with a new password. NIST SP 800-63B recommends to ask for nothing but a length, and to refuse what everybody tries first. */

export const MIN_PASSWORD = 12;
/** UTF-16 units, as the field of the wire counts. */
export const MAX_PASSWORD = 128;

export type PasswordProblem = 'too_short' | 'too_long' | 'easy_to_guess';

/** Beginnings of passwords of this length that lists of leaked passwords name again and again. */
const KNOWN = ['password', 'passw0rd', '123456', 'qwerty', 'letmein', 'welcome', 'iloveyou', 'abc123', 'admin', '111111', 'changeme'];

/** Returns undefined for a password that may be used. `own`: words that others know of the person, such as the e-mail address. */
export function findPasswordProblem(password: string, own: readonly string[]): PasswordProblem | undefined {
  if ([...password].length < MIN_PASSWORD) return 'too_short';
  if (password.length > MAX_PASSWORD) return 'too_long';
  const lower = password.toLowerCase();
  const words = [...KNOWN, ...own.map(word => word.toLowerCase()).filter(word => word.length > 3)];
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), lower);
  return rest.length >= MIN_PASSWORD / 2 && new Set(lower).size > 4 ? undefined : 'easy_to_guess';
}
