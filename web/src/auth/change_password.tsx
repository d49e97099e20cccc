import { useState } from 'preact/hooks';
import { findPasswordProblem } from '../../../src/utils/password_strength';
import { callRest } from '../api/call_rest';
import { RequestError, refusalOf } from '../api/request_error';
import { useLocale } from '../i18n/language_context';
import { LoginField } from './login_field';
import { loginTexts } from './login_texts';
import { describeStrength, NewPasswordField } from './new_password_field';

interface ChangePasswordProps {
  /** Words that others know of the person. */
  own: readonly string[];
  /** Called when the new password counts: other logins have ended. */
  onChanged: () => Promise<void>;
}

/** Lets a person change the own password. */
export function ChangePassword({ own, onChanged }: ChangePasswordProps) {
  const texts = loginTexts[useLocale()];
  const [state, setState] = useState<'closed' | 'open' | 'changed'>('closed');
  if (state === 'open')
    return (
      <PasswordForm
        own={own}
        onChanged={async () => {
          setState('changed');
          await onChanged();
        }}
      />
    );
  return (
    <>
      <button type="button" class="button" data-testid="change-password" onClick={() => setState('open')}>
        {texts.changePassword}
      </button>
      {state === 'changed' && (
        <p role="status" data-testid="password-changed">
          {texts.passwordChanged}
        </p>
      )}
    </>
  );
}

/** `field`: a JSON pointer to the field that is wrong. */
interface Problem {
  field: string | undefined;
  text: string;
}

function PasswordForm({ own, onChanged }: ChangePasswordProps) {
  const texts = loginTexts[useLocale()];
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  const problemOf = (field: string) => (problem?.field === field ? problem.text : undefined);
  const findMistake = (): Problem | undefined => {
    if (current === '') return { field: '/current', text: texts.currentMissing };
    if (findPasswordProblem(password, own)) return { field: '/password', text: describeStrength(texts, password, own) };
    return undefined;
  };
  const send = async () => {
    if (isSending) return;
    const mistake = findMistake();
    setProblem(mistake);
    if (mistake) return;
    setSending(true);
    try {
      await callRest('POST', '/me/password', { current, password });
    } catch (thrown) {
      setSending(false);
      setProblem({ field: thrown instanceof RequestError ? thrown.param : undefined, text: refusalOf(thrown) ?? texts.unreachable });
      return;
    }
    await onChanged();
  };
  return (
    <form
      data-testid="password-form"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <p>{texts.changePasswordAbout}</p>
      <LoginField
        name="current-password"
        type="password"
        label={texts.currentPassword}
        value={current}
        autocomplete="current-password"
        problem={problemOf('/current')}
        isFirst
        onValue={setCurrent}
      />
      <NewPasswordField
        name="new-password"
        label={texts.newPasswordLabel}
        value={password}
        own={own}
        problem={problemOf('/password')}
        onValue={setPassword}
      />
      <p class="form-error" role="alert" data-testid="password-problem">
        {problem && problem.field !== '/current' && problem.field !== '/password' && problem.text}
      </p>
      <button type="submit" class="button primary" aria-disabled={isSending} data-testid="save-password">
        {texts.changePassword}
      </button>
    </form>
  );
}
