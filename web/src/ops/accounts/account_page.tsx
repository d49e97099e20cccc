import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RelativeTime } from '../../components/basic/relative_time';
import { focusViewHeading } from '../../components/basic/use_return_focus';
import { useLocale } from '../../i18n/language_context';
import { OpsLink } from '../parts/ops_link';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { useOps } from '../shared/ops_controller';
import { opsHref } from '../shared/place';
import { accountApi, type MadeLink, type Person, type Role } from './account_api';
import { AccountDialog, type AccountQuestion } from './account_dialog';
import { waysOf } from './account_list';
import { accountTexts } from './account_texts';
import { LinkPanel } from './link_panel';
import { RoleSelect } from './role_select';

interface AccountPageProps {
  person: Person;
  roles: readonly Role[];
  onChanged: (person: Person) => void;
  onRemoved: (id: string) => void;
}

/** One person: what is known of the account, and what an admin may do with it. */
export function AccountPage({ person, roles, onChanged, onRemoved }: AccountPageProps) {
  const texts = accountTexts[useLocale()];
  const ops = useOps();
  const { isBusy, run } = useAction();
  const [role, setRole] = useState(person.role);
  const [link, setLink] = useState<MadeLink>();
  const [question, setQuestion] = useState<AccountQuestion>();
  const { id, state, waysIn = [] } = person;
  const change = (work: () => Promise<Partial<Person>>, done: string) => run(async () => onChanged({ ...person, ...(await work()) }), done);
  const withoutAuthenticator = async () => {
    await accountApi.removeAuthenticator(id);
    return { waysIn: waysIn.filter(way => way !== 'authenticator') };
  };
  const remove = async (erase: boolean) => {
    await accountApi.remove(id, erase);
    ops.go(opsHref('accounts'), 'replace');
    onRemoved(id);
    focusViewHeading();
  };
  const answer = (asked: AccountQuestion, erase: boolean) => {
    setQuestion(undefined);
    if (asked === 'disable') change(() => accountApi.update(id, { disabled: true }), texts.disabled);
    if (asked === 'authenticator') change(withoutAuthenticator, texts.authenticatorRemoved);
    if (asked === 'remove') run(() => remove(erase), erase ? texts.erased : texts.removed);
  };
  const action = (testId: string, text: string, act: () => void, isDanger = false) => (
    <ScopeButton scope="admin" isBusy={isBusy} isDanger={isDanger} testId={testId} onClick={act}>
      {text}
    </ScopeButton>
  );
  return (
    <>
      <p>
        <OpsLink screen="accounts">{texts.back}</OpsLink>
      </p>
      <h2>{person.name}</h2>
      <AccountFacts person={person} />
      {link && <LinkPanel title={texts.passwordLinkFor(person.name)} link={link} onDone={() => setLink(undefined)} />}
      <div class="panel">
        <RoleSelect roles={roles} value={role} testId="account-role" onChange={setRole} />
        {action('save-role', texts.changeRole, () => change(() => accountApi.update(id, { role }), texts.roleChanged))}
      </div>
      <div class="toolbar">
        {state === 'active' &&
          action('password-link', texts.passwordLink, () => run(async () => setLink(await accountApi.makePasswordLink(id))))}
        {waysIn.includes('authenticator') && action('remove-authenticator', texts.removeAuthenticator, () => setQuestion('authenticator'))}
        {state === 'active' && action('disable', texts.disable, () => setQuestion('disable'))}
        {state === 'disabled' &&
          action('enable', texts.enable, () => change(() => accountApi.update(id, { disabled: false }), texts.enabled))}
        {action('remove-person', texts.remove, () => setQuestion('remove'), true)}
      </div>
      {question && (
        <AccountDialog
          question={question}
          name={person.name}
          onAnswer={erase => answer(question, erase)}
          onCancel={() => setQuestion(undefined)}
        />
      )}
    </>
  );
}

function AccountFacts({ person }: { person: Person }) {
  const texts = accountTexts[useLocale()];
  const { email, handle, role, state, createdAt, lastLoginAt } = person;
  return (
    <dl class="facts" data-testid="person-facts" data-state={state} data-role={role}>
      {email !== undefined && <Fact name={texts.email}>{email}</Fact>}
      <Fact name={texts.handle}>{handle}</Fact>
      <Fact name={texts.role}>{role}</Fact>
      <Fact name={texts.state}>
        <StatusTag tone={state === 'active' ? 'good' : 'calm'}>{texts.states[state]}</StatusTag>
      </Fact>
      <Fact name={texts.waysIn}>{waysOf(person, texts)}</Fact>
      <Fact name={texts.lastLogin}>{lastLoginAt ? <RelativeTime iso={lastLoginAt} /> : texts.never}</Fact>
      <Fact name={texts.made}>
        <RelativeTime iso={createdAt} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
