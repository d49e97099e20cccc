import { useLayoutEffect, useRef } from 'preact/hooks';
import { FormField, InputField, SelectField } from '../../components/basic/form_field';
import { isInDialog, useDiscardGuard } from '../../components/basic/use_discard_guard';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import type { JobHost } from './job_host';
import { jobTexts } from './job_texts';
import type { Job } from './job_types';
import { ScheduleInputs } from './schedule_inputs';
import { type JobFormState, useJobForm } from './use_job_form';

/** Characters of the name that the gateway accepts. */
const MAX_NAME = 100;

interface JobFormProps {
  /** The job to edit; absent for a new one. */
  job?: Job;
  controller: JobHost;
  onSaved: (job: Job) => void;
  onBack: () => void;
}

/** Edits a job, or makes a new one. The gateway's errors stand at their fields. */
export function JobForm({ job, controller, onSaved, onBack }: JobFormProps) {
  const messages = useMessages();
  const texts = jobTexts[useLocale()];
  const form = useJobForm(job, onSaved);
  const { isSending, problem } = form;
  const { leave, dialog } = useDiscardGuard(form.isChanged, () => {
    form.clearDraft();
    onBack();
  });
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => element.current?.querySelector('input')?.focus(), []);
  // The wrong field takes the focus, so that it is on the screen.
  useLayoutEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problem]);
  return (
    <form
      ref={element}
      class="view-form job-form"
      aria-label={job ? texts.editJob : texts.newJob}
      data-testid="job-form"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        form.submit();
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing || isInDialog(event)) return;
        event.preventDefault();
        leave();
      }}
    >
      <WhatInputs form={form} />
      <ScheduleInputs fields={form.fields.schedule} problem={problem} onChange={form.setSchedule} />
      <MoreInputs form={form} controller={controller} />
      {problem && !isShown(problem.param) && (
        <p class="form-error" role="alert" data-testid="form-problem">
          {problem.text}
        </p>
      )}
      <div class="form-row form-end">
        <button type="button" class="button" disabled={isSending} onClick={leave}>
          {messages.cancel}
        </button>
        <button type="submit" class="button primary" disabled={isSending} data-testid="save-job">
          {messages.save}
        </button>
      </div>
      {dialog}
    </form>
  );
}

/** Fields whose problems stand beside them. */
const SHOWN = ['name', 'input', 'schedule', 'agent', 'session', 'onMissed', 'onOverlap'];

const isShown = (param: string | undefined): boolean => SHOWN.includes(param?.split('/')[1] ?? '');

function problemOf({ problem }: JobFormState, name: string): string | undefined {
  return problem?.param === `/${name}` ? problem.text : undefined;
}

function WhatInputs({ form }: { form: JobFormState }) {
  const texts = jobTexts[useLocale()];
  const { fields, set } = form;
  return (
    <>
      <InputField
        label={texts.jobName}
        value={fields.name}
        problem={problemOf(form, 'name')}
        testId="job-name"
        onInput={name => set({ name })}
        input={{ maxLength: MAX_NAME }}
      />
      <FormField label={texts.task} hint={texts.taskHint} problem={problemOf(form, 'input')}>
        {control => (
          <textarea
            {...control}
            rows={3}
            value={fields.input}
            data-testid="job-input"
            onInput={event => set({ input: event.currentTarget.value })}
          />
        )}
      </FormField>
    </>
  );
}

/** Shows the fields that have good defaults. They are open when one of them has a problem. */
function MoreInputs({ form, controller }: { form: JobFormState; controller: JobHost }) {
  const texts = jobTexts[useLocale()];
  const { fields, set, problem } = form;
  const known = useStore(controller.store, state => state.agents) ?? [];
  const agents = known.some(({ name }) => name === fields.agent) ? known : [{ name: fields.agent, label: fields.agent }, ...known];
  const options = <T extends string>(words: Record<T, string>) =>
    (Object.entries(words) as [T, string][]).map(([value, text]) => ({ value, text }));
  const isWrong = ['/agent', '/session', '/onMissed', '/onOverlap'].includes(problem?.param ?? '');
  return (
    <details class="job-more" open={isWrong || undefined}>
      <summary data-testid="job-more">{texts.more}</summary>
      <div class="form-grid">
        <SelectField
          label={texts.agentField}
          value={fields.agent}
          options={agents.map(({ name, label }) => ({ value: name, text: label }))}
          problem={problemOf(form, 'agent')}
          testId="job-agent"
          onChange={agent => set({ agent })}
        />
        <SelectField
          label={texts.chatField}
          value={fields.session}
          options={options(texts.session)}
          problem={problemOf(form, 'session')}
          testId="job-session"
          onChange={session => set({ session })}
        />
        <SelectField
          label={texts.missedField}
          value={fields.onMissed}
          options={options(texts.onMissed)}
          problem={problemOf(form, 'onMissed')}
          testId="job-missed"
          onChange={onMissed => set({ onMissed })}
        />
        <SelectField
          label={texts.overlapField}
          value={fields.onOverlap}
          options={options(texts.onOverlap)}
          problem={problemOf(form, 'onOverlap')}
          testId="job-overlap"
          onChange={onOverlap => set({ onOverlap })}
        />
      </div>
    </details>
  );
}
