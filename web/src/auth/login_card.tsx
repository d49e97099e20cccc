import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { callRest } from '../api/call_rest';
import { useLocale } from '../i18n/language_context';
import { hasKeyboard } from '../platform/has_keyboard';
import { useStore } from '../platform/store';
import { InvitationPart } from './invitation_part';
import { invitationToken } from './invitation_token';
import type { LoginCardProps, LoginHost } from './login_host';
import { LoginProblem } from './login_problem';
import { LoginScreen } from './login_screen';
import { loginTexts } from './login_texts';
import { knowsPasskeys } from './passkey';
import { PasskeyPart } from './passkey_part';
import { PasswordPart } from './password_part';
import { type Provider, ProviderPart } from './provider_part';
import { ShowButton } from './show_button';
import { type LoginWords, useLogin } from './use_login';

/** Characters of a key that the field takes. */
const MAX_KEY = 1_000;

/** Asks for an API key. The page behind the card keeps everything, and goes on once the key is accepted. */
export function LoginCard({ controller, preferences }: LoginCardProps) {
  const titleId = useId();
  return (
    <LoginScreen preferences={preferences} titleId={titleId} testId="login-card">
      <WayPart controller={controller} titleId={titleId} />
    </LoginScreen>
  );
}

/** Without an answer of the gateway the card asks for a key. */
const KEY_ALONE: Ways = { password: false, passkey: false, providers: [] };

interface Ways {
  password: boolean;
  passkey: boolean;
  providers: readonly Provider[];
}

/** An invitation comes before all; a gateway with accounts asks for e-mail and password first, or names its login providers. */
function WayPart({ controller, titleId }: { controller: LoginHost; titleId: string }) {
  const texts = loginTexts[useLocale()];
  const [token] = useState(invitationToken);
  const [ways, setWays] = useState<Ways>();
  const [usesKey, setUsesKey] = useState(false);
  useEffect(() => {
    callRest<Ways>('GET', '/login/ways')
      .then(setWays)
      .catch(() => setWays(KEY_ALONE));
  }, []);
  if (ways === undefined) return null;
  const { password, passkey, providers } = ways;
  if (token !== undefined) return <InvitationPart controller={controller} token={token} titleId={titleId} providers={providers} />;
  const hasPeople = password || providers.length > 0;
  const isKey = usesKey || !hasPeople;
  return (
    <>
      {isKey && <LoginPart controller={controller} titleId={titleId} />}
      {!isKey && password && <PasswordPart controller={controller} titleId={titleId} />}
      {!isKey && !password && <h2 id={titleId}>{texts.logIn}</h2>}
      {!isKey && passkey && knowsPasskeys() && <PasskeyPart controller={controller} />}
      {!isKey && <ProviderPart providers={providers} />}
      {hasPeople && (
        <button type="button" class="link-button" data-testid="other-way" onClick={() => setUsesKey(!usesKey)}>
          {usesKey ? (password ? texts.usePassword : texts.useProvider) : texts.useKey}
        </button>
      )}
    </>
  );
}

/** The content of the card for a key: what the gateway wants, and the form. */
export function LoginPart({ controller, titleId }: { controller: LoginHost; titleId?: string }) {
  const texts = loginTexts[useLocale()];
  const wasLoggedIn = useStore(controller.store, state => state.me?.loginRequired === true);
  return (
    <>
      <h2 id={titleId}>{texts.title}</h2>
      <p>{wasLoggedIn ? texts.aboutAgain : texts.about}</p>
      <LoginForm controller={controller} texts={texts} />
    </>
  );
}

function LoginForm({ controller, texts }: { controller: LoginHost; texts: LoginWords }) {
  const [key, setKey] = useState('');
  const [isShown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const onFailure = () => field.current?.select();
  const { logIn, isSending, problem, wait } = useLogin({ controller, texts, account: key, wrong: texts.keyWrong, onFailure });
  const problemId = useId();
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        void logIn({ key: key.trim() }, key.trim() === '' ? texts.keyMissing : undefined);
      }}
    >
      <label for="login-key">{texts.key}</label>
      <div class="key-field">
        <input
          ref={field}
          id="login-key"
          type={isShown ? 'text' : 'password'}
          value={key}
          maxLength={MAX_KEY}
          name="key"
          autocomplete="current-password"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={problemId}
          aria-invalid={problem !== undefined}
          data-testid="login-key"
          onInput={event => setKey(event.currentTarget.value)}
        />
        <ShowButton isShown={isShown} texts={[texts.showKey, texts.hideKey]} testId="show-key" onToggle={() => setShown(!isShown)} />
      </div>
      <LoginProblem id={problemId} problem={problem} wait={wait} />
      <button type="submit" class="button primary" aria-disabled={isSending || wait !== undefined} data-testid="log-in">
        {isSending ? texts.loggingIn : texts.logIn}
      </button>
    </form>
  );
}
