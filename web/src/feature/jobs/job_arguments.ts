/** Says the arguments of a call that makes or changes a job in words. Pure. */
import { type ArgumentRow, isObject, listArguments, showHidden } from '../../components/calls/approval_arguments';
import type { Locale } from '../../platform/preferences';
import { type JobTexts, jobTexts } from './job_texts';
import type { JobSchedule } from './job_types';
import { readDaily } from './schedule_form';
import { describeSchedule } from './schedule_words';

/** Lists every argument under its name in the jobs view. A value without words stays exactly as the call has it. `gatewayZone`: used by schedules without a zone. */
export function listJobArguments(args: unknown, locale: Locale, gatewayZone?: string): ArgumentRow[] {
  const texts: JobTexts = jobTexts[locale];
  const values = isObject(args) ? args : {};
  return listArguments(args).map(row => {
    const words = wordsOf(row.name, values[row.name], locale, gatewayZone);
    return { ...row, name: nameOf(row.name, texts), text: words ?? row.text, form: words === undefined ? row.form : 'words' };
  });
}

/** Returns what the call does in one line: the name of the job, or else the action, and the schedule in words. */
export function summarizeJob(args: unknown, locale: Locale): string {
  const { name, action, schedule } = isObject(args) ? args : {};
  const lead = typeof name === 'string' && name !== '' ? name : (wordsOf('action', action, locale) ?? '');
  return [lead, isSchedule(schedule) && describeSchedule(schedule, locale)].filter(Boolean).join(' · ');
}

function nameOf(name: string, texts: JobTexts): string {
  return Object.hasOwn(texts.arguments, name) ? texts.arguments[name as keyof JobTexts['arguments']] : name;
}

function wordsOf(name: string, value: unknown, locale: Locale, gatewayZone?: string): string | undefined {
  const texts: JobTexts = jobTexts[locale];
  if (name === 'schedule') return isSchedule(value) ? sayExactly(value, locale, gatewayZone) : undefined;
  if (name === 'enabled') return value === true ? texts.state.enabled : value === false ? texts.state.paused : undefined;
  const choices: Record<string, Record<string, string>> = {
    action: texts.actions,
    session: texts.session,
    onMissed: texts.onMissed,
    onOverlap: texts.onOverlap,
  };
  const words = Object.hasOwn(choices, name) ? choices[name] : undefined;
  return words && typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : undefined;
}

/** Says all that a person agrees to: the words, the expression when the words come from a library, and the time zone. */
function sayExactly(schedule: JobSchedule, locale: Locale, gatewayZone: string | undefined): string {
  const words = describeSchedule(schedule, locale);
  if (!('cron' in schedule)) return words;
  const { cron, timeZone } = schedule;
  const expression = readDaily(cron) || words === cron ? '' : ` (${cron})`;
  return showHidden(`${words}${expression} · ${timeZone ?? jobTexts[locale].gatewayZone(gatewayZone)}`);
}

/** Returns false for a value with other or further fields, which is shown as it is. */
function isSchedule(value: unknown): value is JobSchedule {
  if (!isObject(value)) return false;
  const { cron, timeZone, everyMs, at, ...others } = value;
  if (Object.keys(others).length > 0) return false;
  if (typeof cron === 'string') return everyMs === undefined && at === undefined && ['string', 'undefined'].includes(typeof timeZone);
  if (timeZone !== undefined) return false;
  if (typeof everyMs === 'number') return at === undefined && everyMs > 0;
  return typeof at === 'string' && everyMs === undefined && !Number.isNaN(Date.parse(at));
}
