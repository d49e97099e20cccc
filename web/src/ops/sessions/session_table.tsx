import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import { ConfirmDialog } from '../../components/confirm_dialog';
import { useLocale } from '../../i18n/language_context';
import { messageUrl } from '../../platform/session_url';
import { RelativeTime } from '../../views/relative_time';
import { usePagedList } from '../../views/use_paged_list';
import { focusViewHeading } from '../../views/use_return_focus';
import { type Column, DataTable } from '../parts/data_table';
import { ListState } from '../parts/list_state';
import { OpsLink } from '../parts/ops_link';
import { saveFile } from '../parts/save_file';
import { ScopeButton } from '../parts/scope_button';
import { useAction } from '../parts/use_action';
import { deleteSession, exportSession, listSessions } from './session_api';
import { sessionScreenTexts } from './session_texts';

/** Lists sessions, the most recently used first. */
export function SessionTable({ q, origin }: { q: string; origin: string }) {
  const texts = sessionScreenTexts[useLocale()];
  const list = usePagedList<SessionSummary>(`${q}\n${origin}`, cursor => listSessions({ q, origin }, cursor));
  const { isBusy, run } = useAction();
  const [removing, setRemoving] = useState<SessionSummary>();
  const remove = async ({ id }: SessionSummary) => {
    await deleteSession(id);
    list.change(rows => rows.filter(row => row.id !== id));
    focusViewHeading();
  };
  const columns = [
    ...factColumns(texts),
    {
      key: 'actions',
      head: '',
      cell: (row: SessionSummary) => (
        <span class="cell-actions">
          <ScopeButton
            scope="chat"
            isBusy={isBusy}
            label={`${texts.export}: ${row.title || texts.untitled}`}
            testId="export-session"
            onClick={() => run(async () => saveFile(`session-${row.id}.json`, JSON.stringify(await exportSession(row.id), null, 2)))}
          >
            {texts.export}
          </ScopeButton>
          <ScopeButton
            scope="chat"
            isBusy={isBusy}
            label={`${texts.remove}: ${row.title || texts.untitled}`}
            testId="delete-session"
            onClick={() => setRemoving(row)}
          >
            {texts.remove}
          </ScopeButton>
        </span>
      ),
    },
  ];
  return (
    <ListState list={list}>
      <DataTable
        label={texts.sessions}
        columns={columns}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={q || origin ? texts.noHits : texts.noSessions}
        testId="sessions"
      />
      {removing && (
        <ConfirmDialog
          title={texts.removeQuestion}
          text={texts.removeText(removing.title || texts.untitled)}
          action={texts.remove}
          onConfirm={() => {
            setRemoving(undefined);
            run(() => remove(removing), texts.removed);
          }}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </ListState>
  );
}

function factColumns(texts: (typeof sessionScreenTexts)['en']): Column<SessionSummary>[] {
  return [
    {
      key: 'title',
      head: texts.title,
      isName: true,
      cell: ({ id, title }) => (
        <a href={messageUrl(id)} title={texts.open}>
          {title || texts.untitled}
        </a>
      ),
    },
    { key: 'agent', head: texts.agent, cell: ({ agent }) => agent ?? '' },
    { key: 'madeBy', head: texts.madeBy, cell: session => <MadeBy session={session} texts={texts} /> },
    { key: 'updated', head: texts.updated, cell: ({ updatedAt }) => <RelativeTime iso={updatedAt} /> },
    { key: 'created', head: texts.created, cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      key: 'runs',
      head: texts.runs,
      cell: ({ id }) => (
        <OpsLink screen="runs" query={{ q: id }} testId="session-runs">
          {texts.runs}
        </OpsLink>
      ),
    },
  ];
}

function MadeBy({ session: { origin, parentSessionId }, texts }: { session: SessionSummary; texts: (typeof sessionScreenTexts)['en'] }) {
  if (origin?.jobId !== undefined) {
    return (
      <OpsLink screen="jobs" query={{ job: origin.jobId }}>
        {texts.origin.job}
      </OpsLink>
    );
  }
  return <>{parentSessionId === undefined ? texts.origin.person : texts.origin.child}</>;
}
