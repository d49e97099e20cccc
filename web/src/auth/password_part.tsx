import { useId, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import { LoginField } from './login_field';
import type { LoginHost } from './login_host';
import { LoginProblem } from './login_problem';
import { loginTexts } from './login_texts';
import { useLogin } from './use_login';

/** Asks a person for e-mail and password. */
export function PasswordPart({ controller, titleId }: { controller: LoginHost; titleId: string }) {
  const texts = loginTexts[useLocale()];
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { logIn, isSending, problem, wait, needsCode } = useLogin({ controller, texts, account: email, wrong: texts.passwordWrong });
  const problemId = useId();
  return (
    <form
      aria-describedby={problemId}
      onSubmit={event => {
        event.preventDefault();
        void logIn(
          { email: email.trim(), password, code: code.trim() || undefined },
          email.trim() === '' || password === '' ? texts.passwordMissing : undefined,
        );
      }}
    >
      <h2 id={titleId}>{texts.logIn}</h2>
      <LoginField name="email" type="email" label={texts.email} value={email} autocomplete="username" isFirst onValue={setEmail} />
      <LoginField
        name="password"
        type="password"
        label={texts.password}
        value={password}
        autocomplete="current-password"
        onValue={setPassword}
      />
      {(needsCode || code !== '') && (
        <LoginField name="code" label={texts.code} value={code} autocomplete="one-time-code" isFirst onValue={setCode} />
      )}
      <LoginProblem id={problemId} problem={problem} wait={wait} />
      <button type="submit" class="button primary" aria-disabled={isSending || wait !== undefined} data-testid="log-in">
        {isSending ? texts.loggingIn : texts.logIn}
      </button>
    </form>
  );
}
