import { useState } from 'preact/hooks';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { type Column, DataTable } from '../parts/data_table';
import { FilterSelect, optionsOf, ResetFilters } from '../parts/filters';
import { OpsLink } from '../parts/ops_link';
import { ScopeButton } from '../parts/scope_button';
import { SearchText } from '../parts/search_text';
import { StatusTag } from '../parts/status_tag';
import { useOps, usePlace } from '../shared/ops_controller';
import type { MadeLink, Person, Role } from './account_api';
import { type AccountTexts, accountTexts } from './account_texts';
import { InviteForm } from './invite_form';
import { LinkPanel } from './link_panel';

const FILTERS = ['q', 'role', 'state'] as const;
/** Characters of a search. */
const MAX_QUERY = 100;

interface AccountListProps {
  people: readonly Person[];
  roles: readonly Role[];
}

/** The people of the tenant, with filters that the address keeps, and invitations. */
export function AccountList({ people, roles }: AccountListProps) {
  const texts = accountTexts[useLocale()];
  const me = useStore(useOps().store, state => state.me);
  const { query } = usePlace();
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<MadeLink>();
  return (
    <>
      <div class="toolbar">
        <div class="grow">
          <SearchText label={texts.search} maxLength={MAX_QUERY} testId="account-search" />
        </div>
        <FilterSelect name="role" label={texts.role} options={optionsOf(people.map(({ role }) => role))} />
        <FilterSelect
          name="state"
          label={texts.state}
          options={(['active', 'disabled'] as const).map(value => ({ value, text: texts.states[value] }))}
        />
        <ResetFilters names={FILTERS} />
        {!isInviting && (
          <ScopeButton scope="admin" testId="new-invitation" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            {texts.invite}
          </ScopeButton>
        )}
      </div>
      {isInviting && (
        <InviteForm
          roles={roles}
          isFirst={me?.loginRequired === false}
          onBack={() => setInviting(false)}
          onMade={link => {
            setInviting(false);
            setMade(link);
          }}
        />
      )}
      {made && <LinkPanel title={texts.invitationFor(made.email ?? texts.anybody)} link={made} onDone={() => setMade(undefined)} />}
      <DataTable
        label={texts.people}
        columns={columnsOf(texts, me?.person?.id)}
        rows={people.filter(person => fits(person, query))}
        keyOf={({ id }) => id}
        stateOf={({ state }) => state}
        empty={people.length === 0 ? texts.noPeople : texts.noHits}
        testId="accounts"
      />
      {me && <p class="field-note figure-notes">{texts.tenant(me.tenant)}</p>}
    </>
  );
}

function fits({ name, email = '', handle, role, state }: Person, query: Readonly<Record<string, string | undefined>>): boolean {
  const words = (query['q'] ?? '').toLocaleLowerCase();
  if ((query['role'] || role) !== role || (query['state'] || state) !== state) return false;
  return [name, email, handle].some(text => text.toLocaleLowerCase().includes(words));
}

function columnsOf(texts: AccountTexts, ownId: string | undefined): Column<Person>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isName: true,
      cell: ({ id, name, handle }) => (
        <>
          <OpsLink screen="accounts" item={id} testId="open-account">
            {name}
          </OpsLink>
          <span class="cell-note">
            {handle}
            {id === ownId && ` · ${texts.you}`}
          </span>
        </>
      ),
    },
    { key: 'email', head: texts.email, cell: ({ email }) => email },
    { key: 'role', head: texts.role, cell: ({ role }) => role },
    {
      key: 'state',
      head: texts.state,
      cell: ({ state }) => <StatusTag tone={state === 'active' ? 'good' : 'calm'}>{texts.states[state]}</StatusTag>,
    },
    { key: 'ways', head: texts.waysIn, cell: person => waysOf(person, texts) },
    {
      key: 'last',
      head: texts.lastLogin,
      cell: ({ lastLoginAt }) => (lastLoginAt ? <RelativeTime iso={lastLoginAt} /> : texts.never),
    },
  ];
}

/** Such as "password, passkey". */
export const waysOf = ({ waysIn = [] }: Person, texts: AccountTexts): string =>
  waysIn.map(way => texts.ways[way]).join(', ') || texts.noWay;
