/** Refuses new passwords that are too short, too long or easy to guess. */
import { type AppError, invalidField } from '../../../errors';
import { findPasswordProblem, MAX_PASSWORD, MIN_PASSWORD, type PasswordProblem } from '../../../utils/password_strength';

/** Throws `invalid_request` with the field and what to do. `own`: words that others know of the person, such as the e-mail address. */
export function checkPassword(password: string, own: readonly string[]): void {
  const problem = findPasswordProblem(password, own);
  if (problem) throw REFUSALS[problem]();
}

const REFUSALS: Record<PasswordProblem, () => AppError> = {
  too_short: () =>
    invalidField(
      '/password',
      `must have at least ${MIN_PASSWORD} characters; some words in a row are easy to keep in mind.`,
      `至少需要 ${MIN_PASSWORD} 个字符；几个词连在一起容易记住。`,
    ),
  too_long: () => invalidField('/password', `must have at most ${MAX_PASSWORD} characters.`, `最多 ${MAX_PASSWORD} 个字符。`),
  easy_to_guess: () =>
    invalidField('/password', 'is easy to guess: choose words that nobody connects with you.', '容易被猜到：请选择别人不会联想到你的词。'),
};
