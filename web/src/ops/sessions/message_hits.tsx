import type { MessageHit } from '../../api/rest_types';
import { useLocale } from '../../i18n/language_context';
import { RelativeTime } from '../../views/relative_time';
import { usePagedList } from '../../views/use_paged_list';
import { type Column, DataTable } from '../parts/data_table';
import { ListState } from '../parts/list_state';
import { OpsLink } from '../parts/ops_link';
import { searchMessages } from './session_api';
import { sessionScreenTexts } from './session_texts';

/** Lists the messages that match; each leads to its run. */
export function MessageHits({ q }: { q: string }) {
  const texts = sessionScreenTexts[useLocale()];
  const list = usePagedList<MessageHit>(q, cursor => searchMessages(q, cursor));
  const columns: Column<MessageHit>[] = [
    {
      key: 'message',
      head: texts.message,
      isName: true,
      cell: ({ runId, snippet, title }) => (
        <>
          <OpsLink screen="runs" item={runId}>
            {snippet}
          </OpsLink>
          <span class="cell-note">{title || texts.untitled}</span>
        </>
      ),
    },
    { key: 'who', head: texts.who, cell: ({ role }) => texts.role[role] },
    { key: 'at', head: texts.at, cell: ({ at }) => <RelativeTime iso={at} /> },
  ];
  return (
    <ListState list={list}>
      <DataTable
        label={texts.hits}
        columns={columns}
        rows={list.rows}
        keyOf={({ runId, role }) => `${runId} ${role}`}
        empty={texts.noHits}
        testId="hits"
      />
    </ListState>
  );
}
