import { useEffect, useId, useState } from 'preact/hooks';
import { callRest } from '../api/call_rest';
import { useLocale } from '../i18n/language_context';
import { useStore } from '../platform/store';
import { forgetInvitation } from './invitation_token';
import { LoginField } from './login_field';
import type { LoginHost } from './login_host';
import { LoginProblem } from './login_problem';
import { loginTexts } from './login_texts';
import { NewPasswordField } from './new_password_field';
import { type Provider, ProviderPart } from './provider_part';
import { useLogin } from './use_login';

interface Offered {
  kind: 'account' | 'password';
  role: string;
  email?: string;
}

interface InvitationProps {
  controller: LoginHost;
  token: string;
  titleId: string;
  providers: readonly Provider[];
}

/** Makes an account from an invitation, or sets a new password by a link. */
export function InvitationPart({ controller, token, titleId, providers }: InvitationProps) {
  const texts = loginTexts[useLocale()];
  const [offered, setOffered] = useState<Offered | 'gone'>();
  useEffect(() => {
    callRest<Offered>('GET', `/invitations/${token}`)
      .then(setOffered)
      .catch(() => setOffered('gone'));
  }, [token]);
  if (offered === undefined) return null;
  if (offered !== 'gone')
    return <AccountForm controller={controller} token={token} titleId={titleId} providers={providers} offered={offered} />;
  return (
    <>
      <h2 id={titleId}>{texts.linkGone}</h2>
      <p>{texts.linkGoneAbout}</p>
      <button type="button" class="button primary" data-testid="leave-invitation" onClick={leave}>
        {texts.toLogin}
      </button>
    </>
  );
}

function AccountForm({ controller, token, titleId, providers, offered }: InvitationProps & { offered: Offered }) {
  const texts = loginTexts[useLocale()];
  const isAccount = offered.kind === 'account';
  const [name, setName] = useState('');
  const [email, setEmail] = useState(offered.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const isUsable = useStore(controller.store, ({ me }) => me !== undefined);
  const attempt = { controller: leavingInvitation(controller), texts, account: email, wrong: texts.failed };
  const { logIn, isSending, problem, wait, needsCode } = useLogin(attempt);
  const problemId = useId();
  const isMissing = password === '' || (isAccount && (name.trim() === '' || email.trim() === ''));
  return (
    <form
      aria-describedby={problemId}
      onSubmit={event => {
        event.preventDefault();
        const account = isAccount ? { name: name.trim(), email: offered.email === undefined ? email.trim() : undefined } : {};
        void logIn(
          { invitation: token, ...account, password, code: code.trim() || undefined },
          isMissing ? texts.accountMissing : undefined,
        );
      }}
    >
      <h2 id={titleId}>{isAccount ? texts.makeAccount : texts.newPassword}</h2>
      <p>{isAccount ? texts.invitedAs(offered.role) : texts.newPasswordAbout}</p>
      {isAccount && providers.length > 0 && (
        <>
          <ProviderPart providers={providers} invitation={token} />
          <p>{texts.orPassword}</p>
        </>
      )}
      {isAccount && <LoginField name="name" label={texts.yourName} value={name} autocomplete="name" isFirst onValue={setName} />}
      <LoginField
        name="email"
        type="email"
        label={texts.email}
        value={email}
        autocomplete="username"
        isReadOnly={offered.email !== undefined}
        onValue={setEmail}
      />
      <NewPasswordField
        name="password"
        label={isAccount ? texts.password : texts.newPasswordLabel}
        value={password}
        own={[email, name]}
        isFirst={!isAccount}
        onValue={setPassword}
      />
      {(needsCode || code !== '') && (
        <LoginField name="code" label={texts.code} value={code} autocomplete="one-time-code" isFirst onValue={setCode} />
      )}
      <LoginProblem id={problemId} problem={problem} wait={wait} />
      <button type="submit" class="button primary" aria-disabled={isSending || wait !== undefined} data-testid="accept-invitation">
        {isAccount ? texts.makeAccount : texts.newPassword}
      </button>
      {/* The link may be for somebody else than the person who uses the page. */}
      {isUsable && (
        <button type="button" class="link-button" data-testid="leave-invitation" onClick={leave}>
          {texts.leaveLink}
        </button>
      )}
    </form>
  );
}

/** Opens the page without the invitation. */
function leave(): void {
  forgetInvitation();
  location.reload();
}

/** The page opens again behind an accepted invitation: it may have been open for somebody else, or without a login. */
const leavingInvitation = ({ store, login }: LoginHost): LoginHost => ({
  store,
  login: {
    ...login,
    logIn: async shown => {
      await login.logIn(shown);
      leave();
    },
  },
});
