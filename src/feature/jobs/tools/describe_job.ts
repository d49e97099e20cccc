/** Says in words what a job does and when it runs next. */

import { type ToolContext, type ToolResult, textResult } from '../../../tools/common';
import type { JobSchedule } from '../store/job_records';
import type { JobView } from './job_access';

type Locale = ToolContext['locale'];

/** Returns a job as a few lines, with its next time in the time zone of the job, else in that of the gateway. */
export function describeJob({ job, lastRun }: JobView, { locale, jobs }: Pick<ToolContext, 'locale' | 'jobs'>): string {
  const zh = locale === 'zh-CN';
  // Intervals and single times have no time zone of their own, so the gateway's is used.
  const zone = ('timeZone' in job.schedule ? job.schedule.timeZone : jobs?.timeZone) ?? 'UTC';
  const time = (milliseconds: number): string => timeText(milliseconds, zone, locale);
  const state =
    job.nextRunAt === undefined
      ? (zh ? '已停用' : 'disabled') + (job.pausedReason ? (zh ? `（${job.pausedReason}）` : ` (${job.pausedReason})`) : '')
      : (zh ? '下次运行：' : 'next run: ') + time(job.nextRunAt);
  const head = zh
    ? `- ${job.id}“${job.name}”：${scheduleText(job.schedule, locale)}；${state}`
    : `- ${job.id} "${job.name}": ${scheduleText(job.schedule, locale)}; ${state}`;
  const last =
    lastRun && (zh ? `  最近一次：${time(lastRun.dueAt)}，${lastRun.status}` : `  last run: ${time(lastRun.dueAt)}, ${lastRun.status}`);
  const session =
    job.session === 'same' ? (zh ? '所有运行共用一个会话' : 'one session for all runs') : zh ? '每次新会话' : 'a new session each';
  const input = zh ? `  智能体 ${job.agent}，${session}，消息：${job.input}` : `  agent ${job.agent}, ${session}, message: ${job.input}`;
  return [head, input, ...(last === undefined ? [] : [last])].join('\n');
}

/** Returns the result with all jobs as text, or a sentence when there is none. */
export function describeJobs(views: readonly JobView[], ctx: Pick<ToolContext, 'locale' | 'jobs'>): ToolResult {
  if (views.length === 0) return textResult(ctx.locale === 'zh-CN' ? '没有定时任务。' : 'There are no jobs.');
  return textResult(views.map(view => describeJob(view, ctx)).join('\n'));
}

function timeText(milliseconds: number, timeZone: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale === 'zh-CN' ? 'zh-CN' : 'en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${format.format(milliseconds)} (${timeZone})`;
}

function scheduleText(schedule: JobSchedule, locale: Locale): string {
  const zh = locale === 'zh-CN';
  if ('cron' in schedule) return `cron ${schedule.cron} (${schedule.timeZone})`;
  if ('at' in schedule) return zh ? '单次' : 'once';
  const minutes = Math.round(schedule.everyMs / 6_000) / 10;
  return zh ? `每 ${minutes} 分钟` : `every ${minutes} minutes`;
}
