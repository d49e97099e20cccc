import { RelativeTime } from '../../components/basic/relative_time';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { ListState } from '../../ops/parts/list_state';
import { OpsLink } from '../../ops/parts/ops_link';
import { ScopeButton } from '../../ops/parts/scope_button';
import { StatusTag } from '../../ops/parts/status_tag';
import { useAction } from '../../ops/parts/use_action';
import { type Delivery, type Webhook, webhookApi } from './webhook_api';
import { webhookTexts } from './webhook_texts';

const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

/** The body of an event of a run names the run. */
function runIdOf({ data }: Delivery['body']): string | undefined {
  const runId = typeof data === 'object' && data !== null && 'runId' in data ? data.runId : undefined;
  return typeof runId === 'string' && runId !== '' ? runId : undefined;
}

/** Lists what was sent to a webhook, newest first. */
export function WebhookDeliveries({ webhook: { id, url } }: { webhook: Webhook }) {
  const texts = webhookTexts[useLocale()];
  const list = usePagedList<Delivery>(id, cursor => webhookApi.deliveries(id, cursor));
  const { isBusy, run } = useAction();
  const replay = (delivery: Delivery) =>
    run(async () => {
      await webhookApi.replay(id, delivery.id);
      list.reload();
    }, texts.replayed);
  const columns: Column<Delivery>[] = [
    { key: 'event', head: texts.events, isName: true, cell: ({ type }) => type },
    {
      key: 'state',
      head: texts.state,
      cell: ({ status }) => <StatusTag tone={TONES[status] ?? 'calm'}>{texts.deliveryStatus[status] ?? status}</StatusTag>,
    },
    { key: 'attempts', head: texts.attempts, isNumber: true, why: 'latest', cell: ({ attempts }) => attempts },
    { key: 'answer', head: texts.answer, cell: ({ lastStatus, lastError }) => [lastStatus, lastError].filter(Boolean).join(' · ') },
    { key: 'made', head: texts.made, cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      key: 'run',
      head: texts.run,
      cell: ({ body }) => {
        const runId = runIdOf(body);
        return (
          runId !== undefined && (
            <OpsLink screen="runs" item={runId}>
              {texts.run}
            </OpsLink>
          )
        );
      },
    },
    {
      key: 'actions',
      head: '',
      cell: delivery => (
        <ScopeButton scope="chat" isBusy={isBusy} testId="replay" onClick={() => replay(delivery)}>
          {texts.replay}
        </ScopeButton>
      ),
    },
  ];
  return (
    <section aria-label={texts.deliveriesOf(url)} data-testid="deliveries">
      <h3>{texts.deliveriesOf(url)}</h3>
      <ListState list={list}>
        <DataTable
          label={texts.deliveries}
          columns={columns}
          rows={list.rows}
          keyOf={delivery => delivery.id}
          empty={texts.noDeliveries}
          testId="deliveries"
        />
      </ListState>
    </section>
  );
}
