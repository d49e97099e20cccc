import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import type { Login } from '../chat/login';
import { Icon } from '../components/basic/icon';
import { Logo } from '../components/basic/logo';
import { PreferenceControls } from '../components/basic/preference_controls';
import { useLocale } from '../i18n/language_context';
import { hasKeyboard } from '../platform/has_keyboard';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import type { AppState } from '../state/app_state';
import { loginTexts } from './login_texts';
import './login.css';

/** Characters of a key that the field takes. */
const MAX_KEY = 1_000;

type Texts = (typeof loginTexts)['en'];

/** The page on which a person logs in. */
export interface LoginHost {
  readonly store: Store<Pick<AppState, 'me'>>;
  readonly login: Pick<Login, 'logIn' | 'logOut'>;
}

interface LoginCardProps {
  controller: LoginHost;
  preferences: Store<Preferences>;
}

/** Asks for an API key. The page behind the card keeps everything, and goes on once the key is accepted. */
export function LoginCard({ controller, preferences }: LoginCardProps) {
  const titleId = useId();
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="login-screen" aria-labelledby={titleId} data-testid="login-card">
      <div class="login-card">
        <div class="login-head">
          <Logo />
          <PreferenceControls preferences={preferences} />
        </div>
        <LoginPart controller={controller} titleId={titleId} />
      </div>
    </dialog>
  );
}

/** The content of the card: what the gateway wants, and the form. */
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

function LoginForm({ controller, texts }: { controller: LoginHost; texts: Texts }) {
  const [key, setKey] = useState('');
  const [isShown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { logIn, isSending, problem } = useLogin(controller, texts, field);
  const problemId = useId();
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        void logIn(key.trim());
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
        <button
          type="button"
          class="icon-button"
          aria-label={isShown ? texts.hideKey : texts.showKey}
          aria-pressed={isShown}
          title={isShown ? texts.hideKey : texts.showKey}
          data-testid="show-key"
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eyeOff' : 'eye'} />
        </button>
      </div>
      <p id={problemId} class="form-error" role="alert" data-testid="login-problem">
        {problem}
      </p>
      <button type="submit" class="button primary" aria-disabled={isSending} data-testid="log-in">
        {isSending ? texts.loggingIn : texts.logIn}
      </button>
    </form>
  );
}

/** Sends the key and keeps the reason of a failure. After too many attempts it counts the seconds until the next attempt. */
function useLogin(controller: LoginHost, texts: Texts, field: { readonly current: HTMLInputElement | null }) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<RequestError | 'empty'>();
  const [waitMs, setWaitMs] = useState(0);
  useEffect(() => {
    if (waitMs <= 0) return;
    const timer = setTimeout(() => setWaitMs(waitMs - 1_000), 1_000);
    return () => clearTimeout(timer);
  }, [waitMs]);
  const logIn = async (key: string) => {
    if (isSending || waitMs > 0) return;
    if (key === '') return setFailure('empty');
    setSending(true);
    setFailure(undefined);
    try {
      await controller.login.logIn(key);
    } catch (thrown) {
      const error = thrown instanceof RequestError ? thrown : new RequestError('internal', String(thrown), false);
      setFailure(error);
      setWaitMs(error.retryAfterMs ?? 0);
      setSending(false);
      field.current?.select();
    }
  };
  const isOver = failure instanceof RequestError && failure.code === 'rate_limited' && waitMs <= 0;
  return { logIn, isSending, problem: failure && !isOver ? describe(failure, waitMs, texts) : undefined };
}

function describe(failure: RequestError | 'empty', waitMs: number, texts: Texts): string {
  if (failure === 'empty') return texts.keyMissing;
  if (failure.isLost) return texts.unreachable;
  if (waitMs > 0) return texts.tooMany(Math.ceil(waitMs / 1_000));
  return failure.code === 'unauthenticated' || failure.code === 'invalid_request' ? texts.keyWrong : failure.message || texts.failed;
}

/** Opens the dialog above all others. A browser closes a dialog at a second Escape, whatever the page says; the dialog then opens again. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    const open = () => {
      if (!element?.isConnected) return;
      element.showModal();
      element.querySelector('input')?.focus();
    };
    const onCancel = (event: Event) => event.preventDefault();
    element?.addEventListener('close', open);
    element?.addEventListener('cancel', onCancel);
    open();
    return () => {
      element?.removeEventListener('close', open);
      element?.removeEventListener('cancel', onCancel);
      element?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}
