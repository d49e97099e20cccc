import { useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import { useLocale, useMessages } from '../../i18n/language_context';
import { readFormDraft, writeFormDraft } from '../../platform/form_drafts';
import { jobClient } from './job_client';
import { jobTexts } from './job_texts';
import type { Job, JobInput } from './job_types';
import { defaultFields, type ScheduleFields, toFields, toSchedule } from './schedule_form';

export interface JobFields extends Omit<JobInput, 'schedule'> {
  schedule: ScheduleFields;
}

/** Says what is wrong. `param` is a JSON pointer to the field of the request; without it the problem is about the whole form. */
export interface FormProblem {
  param?: string;
  text: string;
}

export interface JobFormState {
  fields: JobFields;
  set(change: Partial<JobFields>): void;
  setSchedule(change: Partial<ScheduleFields>): void;
  submit(): void;
  /** Removes the unsaved fields, after they were discarded. */
  clearDraft(): void;
  isSending: boolean;
  isChanged: boolean;
  problem: FormProblem | undefined;
}

/** Holds the fields of a job and sends them. A refused form keeps its fields. */
export function useJobForm(job: Job | undefined, onSaved: (job: Job) => void): JobFormState {
  const messages = useMessages();
  const locale = useLocale();
  const [initial] = useState<JobFields>(() => initialFields(job));
  const draft = draftOf(job);
  const [fields, setFields] = useState(() => draft.read(initial));
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<FormProblem>();
  const send = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const input = { ...fields, name: fields.name.trim(), input: fields.input.trim(), schedule: toSchedule(fields.schedule) };
      const saved = job
        ? await jobClient.change(job.id, changedFields(input, fields, initial))
        : await jobClient.create({ ...input, locale });
      draft.clear();
      onSaved(saved);
    } catch (error) {
      setProblem(toProblem(error, messages.requestFailed));
      setSending(false);
    }
  };
  const edit = (change: (before: JobFields) => JobFields) =>
    setFields(before => {
      const next = change(before);
      draft.write(next);
      return next;
    });
  const submit = () => {
    const empty = (['name', 'input'] as const).find(name => fields[name].trim() === '');
    if (empty) setProblem({ param: `/${empty}`, text: jobTexts[locale].required });
    else if (!isSending) void send();
  };
  return {
    fields,
    set: change => edit(before => ({ ...before, ...change })),
    setSchedule: change => edit(before => ({ ...before, schedule: { ...before.schedule, ...change } })),
    clearDraft: draft.clear,
    submit,
    isSending,
    isChanged: fields !== initial && JSON.stringify(fields) !== JSON.stringify(initial),
    problem,
  };
}

/** Keeps unsaved fields while the person is elsewhere on the page. Those of a job that was changed since do not count. */
function draftOf(job: Job | undefined) {
  const key = `job.${job?.id ?? 'new'}`;
  const base = job ? JSON.stringify([job.name, job.input, job.schedule, job.agent, job.session, job.onMissed, job.onOverlap]) : '';
  return {
    read(initial: JobFields): JobFields {
      const text = readFormDraft(key, base);
      if (text === undefined) return initial;
      // Only this form writes the draft, so the cast holds.
      const stored = JSON.parse(text) as JobFields;
      return { ...initial, ...stored, schedule: { ...initial.schedule, ...stored.schedule } };
    },
    write: (fields: JobFields) => writeFormDraft(key, base, JSON.stringify(fields)),
    clear: () => writeFormDraft(key, base, base),
  };
}

function initialFields(job: Job | undefined): JobFields {
  const fallback = defaultFields(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date());
  if (!job) {
    return { name: '', input: '', agent: 'default', session: 'new', onMissed: 'run', onOverlap: 'skip', schedule: fallback };
  }
  const { name, input, agent, session, onMissed, onOverlap } = job;
  return { name, input, agent, session, onMissed, onOverlap, schedule: toFields(job.schedule, fallback) };
}

/** Leaves out an unchanged schedule: its time may have passed by now and would be refused. */
function changedFields(input: JobInput, fields: JobFields, initial: JobFields): Partial<JobInput> {
  const isChanged = (name: string) => JSON.stringify(fields[name as keyof JobFields]) !== JSON.stringify(initial[name as keyof JobFields]);
  return Object.fromEntries(Object.entries(input).filter(([name]) => isChanged(name)));
}

/** The message of the gateway begins with the pointer, which says nothing beside the field. */
function toProblem(error: unknown, fallback: string): FormProblem {
  if (!(error instanceof RequestError) || error.isLost) return { text: fallback };
  const rule = error.message.replace(/^\/\S*: /, '');
  return { text: rule.charAt(0).toUpperCase() + rule.slice(1), param: error.param };
}
