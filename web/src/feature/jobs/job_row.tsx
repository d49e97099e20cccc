import { type RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { useReturnFocus } from '../../components/basic/use_return_focus';
import { isReadOnly, SharingPart } from '../../components/people/sharing_part';
import type { SharingChange } from '../../components/people/use_sharing';
import { formatMinute } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { jobClient } from './job_client';
import { JobForm } from './job_form';
import type { JobHost } from './job_host';
import { JobRuns, RunLink } from './job_runs';
import { jobTexts } from './job_texts';
import type { Job } from './job_types';
import { readDaily } from './schedule_form';
import { describeSchedule } from './schedule_words';

interface JobRowProps {
  job: Job;
  /** True while its runs are listed below it. */
  isOpen: boolean;
  controller: JobHost;
  onChange: (job: Job) => void;
  /** This person no longer sees the job. */
  onHidden: () => void;
  onRemove: () => void;
}

type JobState = 'enabled' | 'paused' | 'done';

/** Shows one job: its task, its times and its last run; or the form that edits it. */
export function JobRow(props: JobRowProps) {
  const { job, isOpen, controller, onChange, onRemove } = props;
  const [isEditing, setEditing] = useState(false);
  const editButton = useReturnFocus(isEditing);
  const isOthers = useStore(controller.store, host => isReadOnly(job, host));
  const row = useRef<HTMLLIElement>(null);
  // A link to the job may lead to a row further down.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  if (isEditing) {
    return (
      <li>
        <JobForm
          job={job}
          controller={controller}
          onSaved={next => {
            setEditing(false);
            onChange(next);
          }}
          onBack={() => setEditing(false)}
        />
      </li>
    );
  }
  const state = stateOf(job);
  return (
    <li ref={row} class="view-row job" data-testid="job" data-state={state} data-job-id={job.id}>
      <div class="row-main">
        <h2 class="job-name">
          {job.name} <StateTag job={job} state={state} />
        </h2>
        <Schedule job={job} />
        {job.input !== job.name && <p class="job-input">{job.input}</p>}
        {job.pausedReason !== undefined && <p class="job-problem">{job.pausedReason}</p>}
        <Times job={job} controller={controller} />
        <WhoSees {...props} />
        <div class="job-actions">
          {!isOthers && (
            <Actions
              job={job}
              state={state}
              controller={controller}
              editButton={editButton}
              onChange={onChange}
              onEdit={() => setEditing(true)}
            />
          )}
          <RunsToggle job={job} isOpen={isOpen} controller={controller} />
        </div>
        {isOpen && <JobRuns job={job} controller={controller} />}
      </div>
      {!isOthers && (
        <span class="row-actions">
          <RemoveButton job={job} onRemove={onRemove} />
        </span>
      )}
    </li>
  );
}

/** A disabled job whose one due time has passed is done. With a reason, the gateway has paused it. */
function stateOf({ enabled, schedule, pausedReason }: Job): JobState {
  if (enabled) return 'enabled';
  return 'at' in schedule && pausedReason === undefined && Date.parse(schedule.at) <= Date.now() ? 'done' : 'paused';
}

function WhoSees({ job, controller, onChange, onHidden }: JobRowProps) {
  if (job.owner === undefined) return null;
  const share = async (change: SharingChange) => {
    const next = await jobClient.share(job.id, change);
    if (next) onChange(next);
    else onHidden();
  };
  return (
    <div class="row-facts job-sharing">
      <SharingPart thing={job} name={job.name} store={controller.store} onShare={share} />
    </div>
  );
}

function StateTag({ job, state }: { job: Job; state: JobState }) {
  const texts = jobTexts[useLocale()];
  const isProblem = job.pausedReason !== undefined;
  return (
    <span class={isProblem ? 'tag warn' : 'tag'} data-testid="job-state">
      {isProblem ? texts.stoppedItself : texts.state[state]}
    </span>
  );
}

function Schedule({ job: { schedule } }: { job: Job }) {
  const locale = useLocale();
  const words = describeSchedule(schedule, locale);
  return (
    <p class="job-schedule" data-testid="job-schedule">
      <Icon name="clock" />
      <span>{words}</span>
      {'cron' in schedule && schedule.timeZone !== undefined && <span class="job-zone">{schedule.timeZone}</span>}
      {/* The words for other expressions come from a library and may miss a detail. */}
      {'cron' in schedule && words !== schedule.cron && !readDaily(schedule.cron) && <code>{schedule.cron}</code>}
    </p>
  );
}

function Times({ job, controller }: { job: Job; controller: JobHost }) {
  const locale = useLocale();
  const texts = jobTexts[locale];
  const { nextRunAt, lastRun } = job;
  return (
    <dl class="job-times">
      <div>
        <dt>{texts.next}</dt>
        <dd data-testid="job-next">
          {nextRunAt === undefined ? (
            texts.noNext
          ) : (
            <>
              <RelativeTime iso={nextRunAt} /> <span class="exact">{formatMinute(nextRunAt, locale)}</span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{texts.last}</dt>
        <dd data-testid="job-last">{lastRun ? <RunLink run={lastRun} controller={controller} /> : texts.never}</dd>
      </div>
    </dl>
  );
}

interface ActionsProps extends Pick<JobRowProps, 'job' | 'controller' | 'onChange'> {
  state: JobState;
  editButton: RefObject<HTMLButtonElement>;
  onEdit: () => void;
}

/** The buttons of whoever may change the job. */
function Actions({ job, state, controller, editButton, onChange, onEdit }: ActionsProps) {
  const texts = jobTexts[useLocale()];
  const { isBusy, attempt } = useAttempt(controller);
  const runNow = async () => {
    const run = await jobClient.runNow(job.id);
    controller.notify(texts.started);
    // The run may have made a chat.
    controller.sessions.refreshSoon();
    const now = new Date().toISOString();
    onChange({ ...job, lastRun: { ...run, dueAt: now, status: 'queued', trigger: 'manual' } });
  };
  const setEnabled = async (enabled: boolean) => onChange(await jobClient.change(job.id, { enabled }));
  return (
    <>
      <button type="button" class="button" aria-disabled={isBusy} data-testid="run-job" onClick={() => attempt(runNow)}>
        {texts.runNow}
      </button>
      {state !== 'done' && (
        <button
          type="button"
          class="button"
          aria-disabled={isBusy}
          data-testid={job.enabled ? 'pause-job' : 'resume-job'}
          onClick={() => attempt(() => setEnabled(!job.enabled))}
        >
          {job.enabled ? texts.pause : texts.resume}
        </button>
      )}
      <button ref={editButton} type="button" class="button" data-testid="edit-job" onClick={onEdit}>
        {texts.editFields}
      </button>
    </>
  );
}

function RunsToggle({ job, isOpen, controller }: Pick<JobRowProps, 'job' | 'isOpen' | 'controller'>) {
  const texts = jobTexts[useLocale()];
  return (
    <button
      type="button"
      class="button"
      aria-expanded={isOpen}
      data-testid="job-runs-toggle"
      onClick={() => controller.openView({ name: 'jobs', item: isOpen ? undefined : job.id })}
    >
      {texts.runs}
      <span class="chevron">
        <Icon name="chevron" />
      </span>
    </button>
  );
}

/** Sends one request at a time; a disabled button would lose the focus. The notice says why the gateway refused it. */
function useAttempt(controller: JobHost) {
  const messages = useMessages();
  const [isBusy, setBusy] = useState(false);
  const send = async (request: () => Promise<void>) => {
    setBusy(true);
    try {
      await request();
    } catch (error) {
      controller.notify(error instanceof RequestError && !error.isLost ? error.message : messages.requestFailed);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, attempt: (request: () => Promise<void>) => void (isBusy || send(request)) };
}

function RemoveButton({ job, onRemove }: { job: Job; onRemove: () => void }) {
  const messages = useMessages();
  return (
    <button
      type="button"
      class="icon-button small"
      title={messages.remove}
      aria-label={`${messages.remove}: ${job.name}`}
      data-testid="delete-job"
      onClick={onRemove}
    >
      <Icon name="trash" />
    </button>
  );
}
