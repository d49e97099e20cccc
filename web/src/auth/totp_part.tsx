import { useEffect, useRef, useState } from 'preact/hooks';
import { callRest } from '../api/call_rest';
import { useLocale } from '../i18n/language_context';
import type { Factor } from './factor';
import { LoginField } from './login_field';
import { loginTexts } from './login_texts';

interface Begun {
  secret: string;
  qr: string;
}

interface AddTotpProps {
  /** Does the work, and shows a refusal. */
  act: (work: () => Promise<unknown>) => Promise<void>;
  onAdded: (recoveryCodes: readonly string[]) => void;
  /** The page asks for the app before all else. */
  isFirst?: boolean;
}

interface TotpPartProps extends Pick<AddTotpProps, 'act'> {
  totp: Factor | undefined;
}

/** Adds an authenticator app, or removes it by a code. `act` also reads what is there. */
export function TotpPart({ totp, act }: TotpPartProps) {
  const texts = loginTexts[useLocale()];
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const remove = (code: string) =>
    act(async () => {
      await callRest('POST', '/me/totp/remove', { code });
      setRecoveryCodes(undefined);
    });
  if (!totp) return <AddTotp act={act} onAdded={setRecoveryCodes} />;
  return (
    <div data-testid="totp">
      <p>{texts.totpOn(totp.recoveryCodes ?? 0)}</p>
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      <CodeForm label={texts.code} submit={texts.removeTotp} onCode={remove} testId="remove-totp" />
    </div>
  );
}

/** Adds an authenticator app by its QR code and a first code. */
export function AddTotp({ act, onAdded, isFirst = false }: AddTotpProps) {
  const texts = loginTexts[useLocale()];
  const [begun, setBegun] = useState<Begun>();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFirst) button.current?.focus({ preventScroll: true });
  }, [isFirst]);
  const begin = () => act(async () => setBegun(await callRest<Begun>('POST', '/me/totp', {})));
  const confirm = (code: string) =>
    act(async () => {
      const made = await callRest<{ recoveryCodes: string[] }>('POST', '/me/totp/confirm', { code });
      onAdded(made.recoveryCodes);
      setBegun(undefined);
    });
  if (!begun)
    return (
      <button ref={button} type="button" class={isFirst ? 'button primary' : 'button'} data-testid="add-totp" onClick={() => void begin()}>
        {texts.addTotp}
      </button>
    );
  return (
    <div class="totp-begun" data-testid="totp-begun">
      <p>{texts.scanCode}</p>
      <img src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`} alt={texts.qrCode} width="180" height="180" />
      <p>
        <code data-testid="totp-secret">{begun.secret}</code>
      </p>
      <CodeForm label={texts.appCode} isFirst submit={texts.confirmTotp} onCode={confirm} testId="confirm-totp" />
    </div>
  );
}

/** Shows the recovery codes, this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const texts = loginTexts[useLocale()];
  return (
    <>
      <p>{texts.keepCodes}</p>
      <pre data-testid="recovery-codes">{codes.join('\n')}</pre>
    </>
  );
}

interface CodeFormProps {
  label: string;
  /** The person writes here first. */
  isFirst?: boolean;
  submit: string;
  onCode: (code: string) => Promise<void>;
  testId: string;
}

function CodeForm({ label, isFirst, submit, onCode, testId }: CodeFormProps) {
  const [code, setCode] = useState('');
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if (code.trim() === '') return;
        void onCode(code.trim());
        setCode('');
      }}
    >
      <LoginField name="code" label={label} isFirst={isFirst} value={code} autocomplete="one-time-code" onValue={setCode} />
      <button type="submit" class="button" data-testid={testId}>
        {submit}
      </button>
    </form>
  );
}
