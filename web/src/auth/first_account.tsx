import { useState } from 'preact/hooks';
import { callRest } from '../api/call_rest';
import { refusalOf } from '../api/request_error';
import { useLocale } from '../i18n/language_context';
import { ROOT } from '../platform/root';
import { LoginField } from './login_field';
import { loginTexts } from './login_texts';
import './login.css';

/** Makes the first account of a gateway without keys and people: an operator, whose link this page then opens. */
export function FirstAccount() {
  const texts = loginTexts[useLocale()];
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const make = async () => {
    if (isSending) return;
    setSending(true);
    setProblem('');
    try {
      const { url } = await callRest<{ url: string }>('POST', '/invitations', { role: 'operator', email: email.trim() });
      // The link may name the gateway in another way than this page does.
      location.assign(`${ROOT}${new URL(url).hash}`);
    } catch (thrown) {
      setSending(false);
      setProblem(refusalOf(thrown) ?? texts.unreachable);
    }
  };
  return (
    <form
      class="own-logins"
      data-testid="first-account"
      onSubmit={event => {
        event.preventDefault();
        if (email.trim() === '') setProblem(texts.emailMissing);
        else void make();
      }}
    >
      <p>{texts.firstAccountAbout}</p>
      <LoginField name="first-email" label={texts.email} value={email} type="email" autocomplete="email" onValue={setEmail} />
      <p class="form-error" role="alert" data-testid="first-account-problem">
        {problem}
      </p>
      <button type="submit" class="button" aria-disabled={isSending} data-testid="make-first-account">
        {texts.makeFirstAccount}
      </button>
    </form>
  );
}
