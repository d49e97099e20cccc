import { useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import { useLocale, useMessages } from '../../i18n/language_context';
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
  isSending: boolean;
  isChanged: boolean;
  problem: FormProblem | undefined;
}

/** Holds the fields of a job and sends them. A refused form keeps its fields. */
export function useJobForm(job: Job | undefined, onSaved: (job: Job) => void): JobFormState {
  const messages = useMessages();
  const locale = useLocale();
  const [initial] = useState<JobFields>(() => initialFields(job));
  const [fields, setFields] = useState(initial);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<FormProblem>();
  const send = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const input = { ...fields, name: fields.name.trim(), input: fields.input.trim(), schedule: toSchedule(fields.schedule) };
      onSaved(job ? await jobClient.change(job.id, changedFields(input, fields, initial)) : await jobClient.create({ ...input, locale }));
    } catch (error) {
      setProblem(toProblem(error, messages.requestFailed));
      setSending(false);
    }
  };
  const submit = () => {
    const empty = (['name', 'input'] as const).find(name => fields[name].trim() === '');
    if (empty) setProblem({ param: `/${empty}`, text: jobTexts[locale].required });
    else if (!isSending) void send();
  };
  return {
    fields,
    set: change => setFields(before => ({ ...before, ...change })),
    setSchedule: change => setFields(before => ({ ...before, schedule: { ...before.schedule, ...change } })),
    submit,
    isSending,
    isChanged: fields !== initial && JSON.stringify(fields) !== JSON.stringify(initial),
    problem,
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

/** An unchanged schedule stays as it is: a time that has passed by now would be refused. */
function changedFields(input: JobInput, fields: JobFields, initial: JobFields): Partial<JobInput> {
  const isChanged = (name: string) => JSON.stringify(fields[name as keyof JobFields]) !== JSON.stringify(initial[name as keyof JobFields]);
  return Object.fromEntries(Object.entries(input).filter(([name]) => isChanged(name)));
}

/** The message of the gateway begins with the pointer, which says nothing beside the field. */
function toProblem(error: unknown, fallback: string): FormProblem {
  if (!(error instanceof RequestError) || error.isLost) return { text: fallback };
  const rule = error.message.replace(/^\/\S*: /, '');
  return { text: rule.charAt(0).toUpperCase() + rule.slice(1), ...(error.param !== undefined && { param: error.param }) };
}
