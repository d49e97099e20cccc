import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { RelativeTime } from '../../components/basic/relative_time';
import { focusViewHeading } from '../../components/basic/use_return_focus';
import type { PagedList } from '../../components/list/use_paged_list';
import { formatBytes, formatCount } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { saveFile } from '../../platform/save_file';
import { messageUrl } from '../../platform/session_url';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { type Column, DataTable } from '../parts/data_table';
import { ListState } from '../parts/list_state';
import { OpsLink } from '../parts/ops_link';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag, toneOfRun } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { useOps } from '../shared/ops_controller';
import { useOpsTexts } from '../shared/ops_words';
import { deleteSession, exportSession, type OpsSession } from './session_api';
import { sessionScreenTexts } from './session_texts';

type Texts = (typeof sessionScreenTexts)['en'];

/** Sessions with their sizes and the end of their last run. */
export function SessionTable({ list, isFiltered }: { list: PagedList<OpsSession>; isFiltered: boolean }) {
  const locale = useLocale();
  const texts = sessionScreenTexts[locale];
  const { isBusy, run } = useAction();
  const [removing, setRemoving] = useState<OpsSession>();
  const nameOf = ({ title }: OpsSession) => title || texts.untitled;
  const remove = async ({ sessionId }: OpsSession) => {
    await deleteSession(sessionId);
    list.change(rows => rows.filter(row => row.sessionId !== sessionId));
    focusViewHeading();
  };
  const columns: Column<OpsSession>[] = [
    { key: 'title', head: texts.title, isName: true, cell: row => <Title row={row} /> },
    { key: 'agent', head: texts.agent, cell: ({ agent }) => agent },
    { key: 'last', head: texts.lastRun, cell: row => <LastRun row={row} /> },
    { key: 'updated', head: texts.updated, cell: ({ updatedAt }) => <RelativeTime iso={updatedAt} /> },
    ...sizeColumns(texts, locale),
    {
      key: 'actions',
      head: '',
      cell: row => (
        <span class="cell-actions">
          <ScopeButton
            scope="chat"
            isBusy={isBusy}
            label={`${texts.export}: ${nameOf(row)}`}
            testId="export-session"
            onClick={() =>
              run(async () => saveFile(`session-${row.sessionId}.jsonl`, await exportSession(row.sessionId), 'application/x-ndjson'))
            }
          >
            {texts.export}
          </ScopeButton>
          <ScopeButton
            scope="ops:write"
            isBusy={isBusy}
            label={`${texts.remove}: ${nameOf(row)}`}
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
        keyOf={({ tenantId, sessionId }) => `${tenantId} ${sessionId}`}
        empty={isFiltered ? texts.noHits : texts.noSessions}
        testId="sessions"
      />
      {removing && (
        <ConfirmDialog
          title={texts.removeQuestion}
          text={texts.removeText(nameOf(removing))}
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

/** The chat page shows chats of its own tenant alone; others open here, to read. A key without the scope chat sees no titles. */
function Title({ row: { sessionId, tenantId, title, snippet } }: { row: OpsSession }) {
  const texts = sessionScreenTexts[useLocale()];
  const ownTenant = useStore(useOps().store, state => state.me?.tenant);
  const canChat = useScope('chat');
  const name = title === undefined ? <code>{sessionId}</code> : title || texts.untitled;
  return (
    <>
      {canChat && tenantId === ownTenant && (
        <a href={messageUrl(sessionId)} title={texts.open}>
          {name}
        </a>
      )}
      {canChat && tenantId !== ownTenant && (
        <OpsLink screen="sessions" item={sessionId}>
          {name}
        </OpsLink>
      )}
      {!canChat && (
        <OpsLink screen="runs" query={{ q: sessionId }}>
          {name}
        </OpsLink>
      )}
      {snippet && <span class="cell-note">{snippet}</span>}
      {tenantId !== ownTenant && <span class="cell-note">{tenantId}</span>}
    </>
  );
}

/** The outcome of the last run, with its error. */
function LastRun({ row: { lastRun } }: { row: OpsSession }) {
  const { runStatus } = useOpsTexts();
  if (!lastRun) return null;
  const { runId, status, reason, errorCode } = lastRun;
  const cause = errorCode ?? reason;
  return (
    <>
      <OpsLink screen="runs" item={runId} testId="last-run">
        <StatusTag tone={toneOfRun(status)}>{runStatus[status]}</StatusTag>
      </OpsLink>
      {cause && <span class={errorCode ? 'cell-note bad' : 'cell-note'}>{cause}</span>}
    </>
  );
}

/** Columns of a session's sizes; a session that holds more than was counted gets a plus. */
function sizeColumns(texts: Texts, locale: Locale): Column<OpsSession>[] {
  const to = ({ sessionId }: OpsSession) => ({ screen: 'runs', query: { q: sessionId } });
  const counted = (count: number, isMore: boolean) => `${formatCount(count, locale)}${isMore ? '+' : ''}`;
  return [
    { key: 'runs', head: texts.runs, isNumber: true, to, cell: ({ runs, isMore }) => counted(runs, isMore) },
    { key: 'messages', head: texts.messages, isNumber: true, to, cell: ({ messages, isMore }) => counted(messages, isMore) },
    { key: 'events', head: texts.events, isNumber: true, to, cell: ({ events, isMore }) => counted(events, isMore) },
    {
      key: 'size',
      head: texts.size,
      isNumber: true,
      why: 'measured',
      cell: ({ messageBytes, isMore }) => `${formatBytes(messageBytes, locale)}${isMore ? '+' : ''}`,
    },
  ];
}
