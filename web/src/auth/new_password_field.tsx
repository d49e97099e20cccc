import { useState } from 'preact/hooks';
import { findPasswordProblem, MIN_PASSWORD } from '../../../src/utils/password_strength';
import { useLocale } from '../i18n/language_context';
import { LoginField } from './login_field';
import { loginTexts } from './login_texts';
import { ShowButton } from './show_button';
import type { LoginWords } from './use_login';

interface NewPasswordFieldProps {
  name: string;
  label: string;
  value: string;
  /** Words that others know of the person, such as the e-mail address. */
  own: readonly string[];
  problem?: string | undefined;
  isFirst?: boolean;
  onValue: (value: string) => void;
}

/** More than a password may have, so that a text that is pasted is refused and not cut. */
const MAX_PASTED = 1_000;

/** Asks for a new password: says what is required, shows what the person writes on request, and says how strong it is. */
export function NewPasswordField({ name, label, value, own, problem, isFirst, onValue }: NewPasswordFieldProps) {
  const texts = loginTexts[useLocale()];
  const [isShown, setShown] = useState(false);
  return (
    <LoginField
      name={name}
      type={isShown ? 'text' : 'password'}
      label={label}
      value={value}
      autocomplete="new-password"
      maxLength={MAX_PASTED}
      note={texts.passwordNote}
      hint={value === '' ? '' : describeStrength(texts, value, own)}
      problem={problem}
      isFirst={isFirst}
      onValue={onValue}
    >
      <ShowButton
        isShown={isShown}
        texts={[texts.showPassword, texts.hidePassword]}
        testId="show-password"
        onToggle={() => setShown(!isShown)}
      />
    </LoginField>
  );
}

export function describeStrength(texts: LoginWords, password: string, own: readonly string[]): string {
  switch (findPasswordProblem(password, own)) {
    case 'too_short':
      return texts.tooShort(MIN_PASSWORD - [...password].length);
    case 'too_long':
      return texts.tooLong;
    case 'easy_to_guess':
      return texts.easyToGuess;
    default:
      return texts.strongEnough;
  }
}
