import { useState } from 'preact/hooks';
import { Icon } from '../components/basic/icon';
import { useLocale } from '../i18n/language_context';
import { useStore } from '../platform/store';
import type { LoginHost } from './login_host';
import { loginTexts } from './login_texts';
import './login.css';

/** Says which key is logged in, and logs out. */
export function AccountPart({ controller }: { controller: LoginHost & { notify(text: string): void } }) {
  const texts = loginTexts[useLocale()];
  const me = useStore(controller.store, state => state.me);
  const [isSending, setSending] = useState(false);
  if (!me?.loginRequired) return null;
  const logOut = async (everywhere: boolean) => {
    if (isSending) return;
    setSending(true);
    try {
      await controller.login.logOut(everywhere);
    } catch {
      controller.notify(texts.logOutFailed);
      setSending(false);
    }
  };
  return (
    <details class="account" data-testid="account">
      <summary title={me.person ? texts.person(me.person.name, me.person.role) : texts.loggedInAs(me.keyName)}>
        <Icon name="key" />
        <span class="account-name">{me.person?.name ?? me.keyName}</span>
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      <p data-testid="account-facts">
        {texts.tenant(me.tenant)}
        <br />
        {me.person ? texts.personMay(me.scopes.join(', ')) : texts.scopes(me.scopes.join(', '))}
      </p>
      <button type="button" class="button" aria-disabled={isSending} data-testid="log-out" onClick={() => void logOut(false)}>
        {texts.logOut}
      </button>
      <button
        type="button"
        class="button"
        title={texts.logOutEverywhereTitle}
        aria-disabled={isSending}
        data-testid="log-out-everywhere"
        onClick={() => void logOut(true)}
      >
        {texts.logOutEverywhere}
      </button>
    </details>
  );
}
