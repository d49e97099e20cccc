import { RelativeTime } from '../../components/basic/relative_time';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { ListState } from '../../ops/parts/list_state';
import { OpsLink } from '../../ops/parts/ops_link';
import { StatusTag } from '../../ops/parts/status_tag';
import { type Hook, type HookCall, hookApi } from './hook_api';
import { hookTexts } from './hook_texts';

const TONES = { accepted: 'good', duplicate: 'calm', limited: 'warn', refused: 'bad' } as const;

/** Lists the last requests to a hook, newest first, and reads them again when the hook has changed. */
export function HookCalls({ hook: { id, name, template, updatedAt } }: { hook: Hook }) {
  const texts = hookTexts[useLocale()];
  const list = usePagedList<HookCall>(`${id} ${updatedAt}`, cursor => hookApi.calls(id, cursor));
  const columns: Column<HookCall>[] = [
    {
      key: 'outcome',
      head: texts.outcome,
      isName: true,
      cell: ({ outcome }) => <StatusTag tone={TONES[outcome] ?? 'calm'}>{texts.outcomes[outcome] ?? outcome}</StatusTag>,
    },
    { key: 'code', head: texts.reason, cell: ({ code }) => code && <code>{code}</code> },
    { key: 'message', head: texts.messageId, cell: ({ messageId }) => messageId },
    { key: 'address', head: texts.sender, cell: ({ address }) => address },
    { key: 'at', head: texts.at, cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      key: 'run',
      head: texts.run,
      cell: ({ runId }) =>
        runId !== undefined && (
          <OpsLink screen="runs" item={runId}>
            {texts.run}
          </OpsLink>
        ),
    },
  ];
  return (
    <section aria-label={texts.callsOf(name)} data-testid="hook-calls">
      <h3>{texts.callsOf(name)}</h3>
      <p>
        {texts.template}: {template}
      </p>
      <div class="toolbar">
        <button type="button" class="button" data-testid="reload-calls" onClick={() => list.reload()}>
          {texts.readAgain}
        </button>
      </div>
      <ListState list={list}>
        <DataTable label={texts.calls} columns={columns} rows={list.rows} keyOf={call => call.id} empty={texts.noCalls} testId="calls" />
      </ListState>
    </section>
  );
}
