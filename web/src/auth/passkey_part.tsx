import { useState } from 'preact/hooks';
import { refusalOf } from '../api/request_error';
import { useLocale } from '../i18n/language_context';
import type { LoginHost } from './login_host';
import { loginTexts } from './login_texts';
import { askPasskey } from './passkey';

/** Logs a person in with a passkey of this device. */
export function PasskeyPart({ controller }: { controller: LoginHost }) {
  const texts = loginTexts[useLocale()];
  const [problem, setProblem] = useState('');
  const logIn = async () => {
    setProblem('');
    try {
      await controller.login.logIn({ passkey: await askPasskey() });
    } catch (thrown) {
      setProblem(refusalOf(thrown) ?? (thrown instanceof DOMException ? texts.passkeyFailed : texts.unreachable));
    }
  };
  return (
    <div class="login-providers">
      <button type="button" class="button" data-testid="use-passkey" onClick={() => void logIn()}>
        {texts.usePasskey}
      </button>
      <p class="form-error" role="alert" data-testid="passkey-problem">
        {problem}
      </p>
    </div>
  );
}
