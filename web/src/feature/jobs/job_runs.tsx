import { useEffect, useRef } from 'preact/hooks';
import { RelativeTime } from '../../components/basic/relative_time';
import { ListNotice } from '../../components/list/list_notice';
import { MoreButton } from '../../components/list/more_button';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale, useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { messageUrl } from '../../platform/session_url';
import { jobClient } from './job_client';
import type { JobHost } from './job_host';
import { jobTexts } from './job_texts';
import type { Job, JobRun } from './job_types';

/** Lists the runs of a job, newest first. */
export function JobRuns({ job, controller }: { job: Job; controller: JobHost }) {
  const messages = useMessages();
  const texts = jobTexts[useLocale()];
  const list = usePagedList<JobRun>(job.id, cursor => jobClient.listRuns(job.id, cursor));
  useReload(`${job.lastRun?.runId} ${job.lastRun?.status}`, list.reload);
  return (
    <section class="job-runs" aria-label={texts.runs} data-testid="job-runs">
      <ListNotice list={list} empty={texts.noRuns} />
      <ul>
        {list.rows.map(run => (
          <li key={run.runId} data-testid="job-run" data-status={run.status}>
            <RunLink run={run} controller={controller} />
            <span class="job-trigger">{texts.trigger[run.trigger]}</span>
          </li>
        ))}
      </ul>
      <MoreButton list={list} text={texts.moreRuns} onFailure={() => controller.notify(messages.requestFailed)} />
    </section>
  );
}

/** Reads the list again when the last run of the job has changed. */
function useReload(key: string, reload: () => void): void {
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) reload();
    shown.current = key;
  }, [key]);
}

/** Shows when a run started and how it stands, with a link to its chat. */
export function RunLink({ run, controller }: { run: JobRun; controller: JobHost }) {
  const texts = jobTexts[useLocale()];
  const { runId, sessionId, status } = run;
  return (
    <span class="run-link">
      <RelativeTime iso={run.startedAt ?? run.dueAt} />
      <span class="run-status" data-status={status}>
        {texts.runStatus[status]}
      </span>
      <a
        href={controller.runHref?.(runId) ?? messageUrl(sessionId, { runId })}
        data-testid="open-run"
        onClick={onPlainClick(() => controller.openMessage({ sessionId, runId }))}
      >
        {controller.runHref ? texts.openRunPage : texts.openRun}
      </a>
    </span>
  );
}
