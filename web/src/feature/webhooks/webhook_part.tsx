import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { Icon } from '../../components/basic/icon';
import { focusViewHeading } from '../../components/basic/use_return_focus';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { ListState } from '../../ops/parts/list_state';
import { ScopeButton } from '../../ops/parts/scope_button';
import { SecretPanel } from '../../ops/parts/secret_panel';
import { StatusTag } from '../../ops/parts/status_tag';
import { useAction } from '../../ops/parts/use_action';
import { useOps, usePlace } from '../../ops/shared/ops_controller';
import { type Webhook, webhookApi } from './webhook_api';
import { WebhookDeliveries } from './webhook_deliveries';
import { WebhookForm } from './webhook_form';
import { webhookTexts } from './webhook_texts';

/** The webhooks: lists them, makes and deletes one, and shows what was sent. */
export function WebhookPart() {
  const texts = webhookTexts[useLocale()];
  const list = usePagedList<Webhook>('webhooks', webhookApi.list);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string }>();
  const opened = usePlace().query['webhook'];
  const shown = list.rows.find(({ id }) => id === opened);
  return (
    <section aria-labelledby="webhooks-heading">
      <h2 id="webhooks-heading">{texts.webhooks}</h2>
      {!isAdding && (
        <div class="toolbar">
          <ScopeButton scope="chat" testId="new-webhook" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {texts.newWebhook}
          </ScopeButton>
        </div>
      )}
      {isAdding && (
        <WebhookForm
          onBack={() => setAdding(false)}
          onMade={({ secret, ...webhook }) => {
            setAdding(false);
            if (secret !== undefined) setMade({ name: webhook.url, secret });
            list.change(rows => [...rows, webhook]);
          }}
        />
      )}
      {made && <SecretPanel {...made} onDone={() => setMade(undefined)} />}
      <ListState list={list}>
        <WebhookTable
          rows={list.rows}
          onRemoved={id => {
            list.change(rows => rows.filter(row => row.id !== id));
            focusViewHeading();
          }}
        />
      </ListState>
      {shown && <WebhookDeliveries webhook={shown} />}
    </section>
  );
}

function WebhookTable({ rows, onRemoved }: { rows: readonly Webhook[]; onRemoved: (id: string) => void }) {
  const texts = webhookTexts[useLocale()];
  const ops = useOps();
  const { query } = usePlace();
  const { isBusy, run } = useAction();
  const [removing, setRemoving] = useState<Webhook>();
  const columns: Column<Webhook>[] = [
    { key: 'url', head: texts.url, isName: true, cell: ({ url }) => url },
    { key: 'events', head: texts.events, cell: ({ events }) => events.join(', ') || texts.allEvents },
    { key: 'state', head: texts.state, cell: webhook => <WebhookState webhook={webhook} /> },
    {
      key: 'actions',
      head: '',
      cell: ({ id, ...rest }) => (
        <span class="cell-actions">
          <button
            type="button"
            class="button"
            aria-expanded={query['webhook'] === id}
            aria-label={texts.deliveriesOf(rest.url)}
            data-testid="deliveries-toggle"
            onClick={() => ops.setQuery({ webhook: query['webhook'] === id ? '' : id })}
          >
            {texts.deliveries}
          </button>
          <ScopeButton
            scope="chat"
            isBusy={isBusy}
            label={`${texts.removeWebhook}: ${rest.url}`}
            testId="delete-webhook"
            onClick={() => setRemoving({ id, ...rest })}
          >
            {texts.removeWebhook}
          </ScopeButton>
        </span>
      ),
    },
  ];
  return (
    <>
      <DataTable label={texts.webhooks} columns={columns} rows={rows} keyOf={({ id }) => id} empty={texts.noWebhooks} testId="webhooks" />
      {removing && (
        <ConfirmDialog
          title={texts.removeQuestion}
          text={texts.removeText(removing.url)}
          action={texts.removeWebhook}
          onConfirm={() => {
            setRemoving(undefined);
            run(async () => {
              await webhookApi.remove(removing.id);
              onRemoved(removing.id);
            }, texts.removed);
          }}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function WebhookState({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
  const texts = webhookTexts[useLocale()];
  return (
    <>
      <StatusTag tone={enabled ? 'good' : 'warn'}>{enabled ? texts.on : texts.off}</StatusTag>
      {disabledReason && <span class="cell-note">{disabledReason}</span>}
    </>
  );
}
