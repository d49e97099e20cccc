import { useEffect, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { Icon } from '../../components/basic/icon';
import { focusViewHeading, useReturnFocus } from '../../components/basic/use_return_focus';
import { ListNotice } from '../../components/list/list_notice';
import { type PagedList, usePagedList } from '../../components/list/use_paged_list';
import { useLocale, useMessages } from '../../i18n/language_context';
import { jobClient } from './job_client';
import { JobForm } from './job_form';
import type { JobHost } from './job_host';
import { JobRow } from './job_row';
import { jobTexts } from './job_texts';
import type { Job } from './job_types';
import '../../components/list/view_parts.css';
import './jobs.css';

/** Interval of reading the list again while the view is visible, in milliseconds: jobs run by themselves. */
const REFRESH_MS = 5_000;

/** Lists the jobs. A person creates, runs, pauses, edits and deletes them, and reads what they did. */
export function JobsView({ controller, item }: { controller: JobHost; item: string | undefined }) {
  const messages = useMessages();
  const texts = jobTexts[useLocale()];
  const list = usePagedList<Job>('jobs', jobClient.list);
  const [isAdding, setAdding] = useState(false);
  const addButton = useReturnFocus(isAdding);
  const [removing, setRemoving] = useState<Job>();
  useRefresh(list, () => controller.sessions.refreshSoon());
  useEffect(() => void controller.loadAgents(), [controller]);
  const put = (job: Job) => list.change(rows => rows.map(row => (row.id === job.id ? job : row)));
  const remove = async (job: Job) => {
    setRemoving(undefined);
    try {
      await jobClient.remove(job.id);
      list.change(rows => rows.filter(row => row.id !== job.id));
      focusViewHeading();
    } catch {
      controller.notify(messages.requestFailed);
    }
  };
  return (
    <>
      <div class="view-toolbar">
        {!isAdding && (
          <button ref={addButton} type="button" class="button primary job-add" data-testid="add-job" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {texts.newJob}
          </button>
        )}
      </div>
      {isAdding && (
        <JobForm
          controller={controller}
          onSaved={job => {
            setAdding(false);
            list.change(rows => [...rows, job]);
          }}
          onBack={() => setAdding(false)}
        />
      )}
      <ListNotice list={list} empty={`${texts.noJobs} ${texts.noJobsHint}`} />
      <ul class="view-rows" aria-label={messages.viewTitles.jobs} data-testid="jobs">
        {list.rows.map(job => (
          <JobRow
            key={job.id}
            job={job}
            isOpen={job.id === item}
            controller={controller}
            onChange={put}
            onHidden={() => list.change(rows => rows.filter(row => row.id !== job.id))}
            onRemove={() => setRemoving(job)}
          />
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          title={texts.removeJob}
          text={texts.removeJobText(removing.name)}
          action={messages.remove}
          onConfirm={() => void remove(removing)}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

/**
 * Reads the list again now and then; after a failure the list on the page stays. `onRun` is called when a job has started a run, which may have made
 * a chat.
 */
function useRefresh(list: PagedList<Job>, onRun: () => void): void {
  const current = useRef(list);
  current.current = list;
  useEffect(() => {
    const refresh = async () => {
      if (document.hidden) return;
      const before = runsOf(current.current.rows);
      const rows = await current.current.refresh();
      if (rows && runsOf(rows) !== before) onRun();
    };
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
}

const runsOf = (jobs: readonly Job[]): string => jobs.map(({ lastRun }) => lastRun?.runId ?? '').join();
