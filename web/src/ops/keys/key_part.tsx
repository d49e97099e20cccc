import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { focusViewHeading } from '../../components/basic/use_return_focus';
import { usePagedList } from '../../components/list/use_paged_list';
import { formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { ListState } from '../parts/list_state';
import { ScopeButton } from '../parts/scope_button';
import { SecretPanel } from '../parts/secret_panel';
import { useAction } from '../parts/use_action';
import { type ApiKey, keyApi } from './key_api';
import { KeyForm } from './key_form';
import { type KeyTexts, keyTexts } from './key_texts';

/** The API keys: lists them, makes one and shows its secret once, revokes one. */
export function KeyPart() {
  const locale = useLocale();
  const texts = keyTexts[locale];
  const list = usePagedList<ApiKey>('keys', keyApi.list);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string }>();
  return (
    <section aria-labelledby="keys-heading">
      <h2 id="keys-heading">{texts.keys}</h2>
      {!isAdding && (
        <div class="toolbar">
          <ScopeButton scope="admin" testId="new-key" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {texts.newKey}
          </ScopeButton>
        </div>
      )}
      {isAdding && (
        <KeyForm
          isFirst={list.status === 'ready' && list.rows.length === 0}
          onBack={() => setAdding(false)}
          onMade={({ secret, ...key }) => {
            setAdding(false);
            if (secret !== undefined) setMade({ name: key.name, secret });
            list.change(rows => [...rows, key]);
          }}
        />
      )}
      {made && <SecretPanel {...made} onDone={() => setMade(undefined)} />}
      <ListState list={list}>
        <KeyTable
          rows={list.rows}
          onRevoked={id => {
            list.change(rows => rows.filter(row => row.id !== id));
            focusViewHeading();
          }}
        />
      </ListState>
    </section>
  );
}

function KeyTable({ rows, onRevoked }: { rows: readonly ApiKey[]; onRevoked: (id: string) => void }) {
  const locale = useLocale();
  const texts = keyTexts[locale];
  const { isBusy, run } = useAction();
  const [revoking, setRevoking] = useState<ApiKey>();
  const columns: Column<ApiKey>[] = [
    ...factColumns(texts),
    { key: 'expires', head: texts.expires, cell: ({ expiresAt }) => (expiresAt ? formatMinute(expiresAt, locale) : texts.never) },
    {
      key: 'actions',
      head: '',
      // A key of the settings is revoked there.
      cell: key =>
        key.source === 'stored' && (
          <ScopeButton
            scope="admin"
            isBusy={isBusy}
            label={`${texts.revoke}: ${key.name}`}
            testId="revoke-key"
            onClick={() => setRevoking(key)}
          >
            {texts.revoke}
          </ScopeButton>
        ),
    },
  ];
  return (
    <>
      <DataTable label={texts.keys} columns={columns} rows={rows} keyOf={({ id }) => id} empty={texts.noKeys} testId="keys" />
      {revoking && (
        <ConfirmDialog
          title={texts.revokeQuestion}
          text={texts.revokeText(revoking.name)}
          action={texts.revoke}
          onConfirm={() => {
            setRevoking(undefined);
            run(async () => {
              await keyApi.revoke(revoking.id);
              onRevoked(revoking.id);
            }, texts.revoked);
          }}
          onCancel={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

function factColumns(texts: KeyTexts): Column<ApiKey>[] {
  return [
    { key: 'name', head: texts.name, isName: true, cell: ({ name }) => name },
    { key: 'tenant', head: texts.tenant, cell: ({ tenant }) => tenant },
    { key: 'scopes', head: texts.scopes, cell: ({ scopes }) => scopes.join(', ') },
    { key: 'source', head: texts.source, cell: ({ source }) => texts.sources[source] },
    { key: 'lastUsed', head: texts.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime iso={lastUsedAt} /> : texts.never) },
  ];
}
