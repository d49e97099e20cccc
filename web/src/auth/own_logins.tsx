import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { callRest } from '../api/call_rest';
import { refusalOf } from '../api/request_error';
import type { Me } from '../api/rest_types';
import { RelativeTime } from '../components/basic/relative_time';
import { useLocale } from '../i18n/language_context';
import { ChangePassword } from './change_password';
import type { Factor } from './factor';
import { loginTexts } from './login_texts';
import { nameOfBrowser } from './name_of_browser';
import { addPasskey, knowsPasskeys } from './passkey';
import { type OwnProvider, ProviderLinks } from './provider_links';
import { TotpPart } from './totp_part';

interface LoginRow {
  id: string;
  createdAt: string;
  address?: string;
  userAgent?: string;
  current: boolean;
}

interface SignInRow {
  id: string;
  at: string;
  address: string;
  client: string;
  unusual: boolean;
}

interface Found {
  providers: readonly OwnProvider[];
  /** The newest ones. */
  signIns: readonly SignInRow[];
  factors: readonly Factor[];
  logins: readonly LoginRow[];
}

const NONE: Found = { providers: [], factors: [], logins: [], signIns: [] };

/** Lets a person change the password, add and remove an authenticator app and passkeys, and log out elsewhere. */
export function OwnLogins({ person: { name, hasPassword } }: { person: NonNullable<Me['person']> }) {
  const texts = loginTexts[useLocale()];
  const [{ providers, factors, logins, signIns }, setFound] = useState(NONE);
  const [problem, setProblem] = useState('');
  const read = useCallback(async () => {
    const [ofProviders, ofFactors, ofLogins, ofSignIns] = await Promise.all([
      callRest<{ data: OwnProvider[] }>('GET', '/me/providers'),
      callRest<{ data: Factor[] }>('GET', '/me/factors'),
      callRest<{ data: LoginRow[] }>('GET', '/me/logins'),
      callRest<{ data: SignInRow[] }>('GET', '/me/sign-ins?limit=10'),
    ]);
    setFound({ providers: ofProviders.data, factors: ofFactors.data, logins: ofLogins.data, signIns: ofSignIns.data });
  }, []);
  /** A person who closes the dialog of the device needs no words about it. */
  const act = async (work: () => Promise<unknown>) => {
    setProblem('');
    try {
      await work();
      await read();
    } catch (thrown) {
      if (!(thrown instanceof DOMException)) setProblem(refusalOf(thrown) ?? texts.unreachable);
    }
  };
  useEffect(() => void act(async () => undefined), []);
  const totp = factors.find(({ kind }) => kind === 'totp');
  return (
    <div class="own-logins" data-testid="own-logins">
      {hasPassword && <ChangePassword own={[name]} onChanged={() => act(async () => undefined)} />}
      <TotpPart totp={totp} act={act} />
      <ul>
        {factors
          .filter(({ kind }) => kind === 'passkey')
          .map(({ id, name, createdAt }) => (
            <Row key={id} testId="passkey" remove={texts.remove} onRemove={() => act(() => callRest('DELETE', `/me/passkeys/${id}`))}>
              {texts.passkey(name)} · <RelativeTime iso={createdAt} />
            </Row>
          ))}
      </ul>
      {knowsPasskeys() && (
        <button
          type="button"
          class="button"
          data-testid="add-passkey"
          onClick={() => void act(() => addPasskey(nameOfBrowser(navigator.userAgent)))}
        >
          {texts.addPasskey}
        </button>
      )}
      <ProviderLinks providers={providers} act={act} />
      <p class="form-error" role="alert" data-testid="own-logins-problem">
        {problem}
      </p>
      <h3>{texts.loggedInAt}</h3>
      <ul>
        {logins.map(({ id, createdAt, address, userAgent, current }) => (
          <Row
            key={id}
            testId="own-login"
            remove={current ? undefined : texts.logOutThere}
            onRemove={() => act(() => callRest('DELETE', `/me/logins/${id}`))}
          >
            {userAgent !== undefined && <span title={userAgent}>{nameOfBrowser(userAgent)} · </span>}
            {address} · <RelativeTime iso={createdAt} />
            {current && ` · ${texts.thisBrowser}`}
          </Row>
        ))}
      </ul>
      <h3>{texts.lastSignIns}</h3>
      <ul>
        {signIns.map(({ id, at, address, client, unusual }) => (
          <li key={id} data-testid="sign-in" data-unusual={unusual}>
            <span>
              {address} · {client} · <RelativeTime iso={at} />
              {unusual && <strong> · {texts.newPlace}</strong>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  testId: string;
  /** The text of the button. Absent: the row has none. */
  remove: string | undefined;
  onRemove: () => Promise<void>;
  children: ComponentChildren;
}

function Row({ testId, remove, onRemove, children }: RowProps) {
  return (
    <li data-testid={testId}>
      <span>{children}</span>
      {remove !== undefined && (
        <button type="button" class="button" data-testid={`remove-${testId}`} onClick={() => void onRemove()}>
          {remove}
        </button>
      )}
    </li>
  );
}
