/** Judges the state of the gateway: healthy, degraded or broken, each with its reasons. Pure. */

import type { OpsAccepting, OpsOverview } from '../schemas/view_schemas';
import { toNotice } from '../shared/notices';

export interface OpsReason {
  code:
    | 'store_unavailable'
    | 'draining'
    | 'not_accepting'
    | 'tenants_not_accepting'
    | 'runs_failing'
    | 'runs_stuck'
    | 'budgets_used_up'
    | 'requests_refused'
    | 'people_waiting'
    | 'event_loop_slow'
    | 'disk_low'
    | 'warnings';
  level: 'degraded' | 'broken';
  message: string;
  messageZh: string;
  /** The page that shows more. */
  view?: 'overview' | 'runs' | 'people' | 'limits' | 'config';
}

export interface JudgedFacts extends Pick<OpsOverview, 'live' | 'traffic' | 'limits' | 'people' | 'process' | 'warnings'> {
  accepting: OpsAccepting;
  isDraining: boolean;
  storeProblem?: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Shares of runs that fail. */
const FAILING_SHARE = 0.1;
const BROKEN_SHARE = 0.5;
/** Fewer runs say nothing about the share. */
const LEAST_RUNS = 5;
const SLOW_LOOP_MS = 200;
const LOW_DISK_SHARE = 0.1;
const LONG_WAIT_MS = 900_000;
/** Tenants that one sentence names at most. */
const MAX_NAMED = 3;

type Judge = (facts: JudgedFacts) => OpsReason | undefined;

const JUDGES: readonly Judge[] = [
  ({ storeProblem }) =>
    storeProblem === undefined
      ? undefined
      : broken('store_unavailable', `The store cannot be written: ${storeProblem}`, `存储不可写：${storeProblem}`),
  ({ isDraining }) => (isDraining ? broken('draining', 'The gateway is stopping.', '网关正在停止。') : undefined),
  ({ accepting: { accepting, reason } }) =>
    accepting
      ? undefined
      : degraded(
          'not_accepting',
          `New runs are paused${reason === undefined ? '.' : `: ${reason}.`}`,
          `新的运行已暂停${reason === undefined ? '。' : `：${reason}。`}`,
          'limits',
        ),
  ({ accepting: { tenants } }) =>
    tenants &&
    degraded(
      'tenants_not_accepting',
      `New runs of ${tenants.length} tenants are paused: ${pausesOf(tenants, 'by')}.`,
      `${tenants.length} 个租户的新运行已暂停：${pausesOf(tenants, '操作者')}。`,
      'limits',
    ),
  ({ traffic }) => judgeFailures(traffic),
  ({ live: { stuck } }) =>
    stuck === 0
      ? undefined
      : degraded(
          'runs_stuck',
          stuck === 1 ? '1 run has had no event for 60 s.' : `${stuck} runs have had no event for 60 s.`,
          `${stuck} 个运行已有 60 秒没有事件。`,
          'runs',
        ),
  ({ limits }) => judgeBudgets(limits),
  ({ limits }) => judgeRefusals(limits),
  ({ people: { oldestAt }, now }) =>
    oldestAt === undefined || now - Date.parse(oldestAt) < LONG_WAIT_MS
      ? undefined
      : degraded('people_waiting', 'A question has waited for more than 15 minutes.', '有问题等待超过 15 分钟。', 'people'),
  ({ process: { eventLoopP99Ms } }) =>
    eventLoopP99Ms === undefined || eventLoopP99Ms <= SLOW_LOOP_MS
      ? undefined
      : degraded(
          'event_loop_slow',
          `The event loop is delayed by ${Math.round(eventLoopP99Ms)} ms.`,
          `事件循环延迟 ${Math.round(eventLoopP99Ms)} 毫秒。`,
          'overview',
        ),
  ({ process: { diskFreeBytes, diskTotalBytes } }) =>
    diskFreeBytes === undefined || diskTotalBytes === undefined || diskFreeBytes >= diskTotalBytes * LOW_DISK_SHARE
      ? undefined
      : degraded('disk_low', 'Less than 10 % of the disk is free.', '磁盘剩余空间不足 10 %。', 'overview'),
  ({ warnings }) =>
    warnings.length === 0
      ? undefined
      : degraded(
          'warnings',
          warnings.length === 1 ? String(warnings[0]) : `${warnings.length} things need attention.`,
          warnings.length === 1 ? toNotice(String(warnings[0])).messageZh : `有 ${warnings.length} 项需要处理。`,
          'config',
        ),
];

/** The worst first. */
export function reasonsOf(facts: JudgedFacts): OpsReason[] {
  const reasons = JUDGES.flatMap(judge => judge(facts) ?? []);
  return [...reasons.filter(({ level }) => level === 'broken'), ...reasons.filter(({ level }) => level === 'degraded')];
}

export function stateOf(reasons: readonly OpsReason[]): OpsOverview['state'] {
  return reasons[0]?.level ?? 'healthy';
}

function judgeFailures({ successShare, runsPerMinute, windowMinutes }: JudgedFacts['traffic']): OpsReason | undefined {
  if (successShare === undefined || runsPerMinute * windowMinutes < LEAST_RUNS || successShare > 1 - FAILING_SHARE) return undefined;
  const percent = Math.round((1 - successShare) * 100);
  const judge = 1 - successShare >= BROKEN_SHARE ? broken : degraded;
  return judge('runs_failing', `${percent} % of the runs of the last 5 minutes failed.`, `最近 5 分钟有 ${percent} % 的运行失败。`, 'runs');
}

function judgeBudgets({ usedUp, usedUpBudgets }: JudgedFacts['limits']): OpsReason | undefined {
  const count = usedUpBudgets.tokensPerDay + usedUpBudgets.costPerDayUsd;
  if (count === 0) return undefined;
  const named = usedUp.slice(0, MAX_NAMED);
  const names = named.map(({ scope, name, tenantId }) => (scope === 'tenant' ? `tenant ${name}` : `key ${name} of ${tenantId}`));
  const namesZh = named.map(({ scope, name, tenantId }) => (scope === 'tenant' ? `租户 ${name}` : `${tenantId} 的密钥 ${name}`));
  const verb = count === 1 ? 'budget of today is' : 'budgets of today are';
  return degraded(
    'budgets_used_up',
    `${count} ${verb} used up, so new runs are refused: ${names.join(', ')}.`,
    `${count} 个当天预算已用完，新的运行会被拒绝：${namesZh.join('、')}。`,
    'limits',
  );
}

function judgeRefusals({ refused, refusedCallers, windowMinutes }: JudgedFacts['limits']): OpsReason | undefined {
  if (refused === 0) return undefined;
  const named = refusedCallers.slice(0, MAX_NAMED);
  const names = named.map(({ tenantId, keyName, count, code }) => `${keyName} of ${tenantId} (${count}, ${code})`).join(', ');
  const namesZh = named.map(({ tenantId, keyName, count, code }) => `${tenantId} 的 ${keyName}（${count}，${code}）`).join('、');
  return degraded(
    'requests_refused',
    `Limits refused ${refused === 1 ? '1 request' : `${refused} requests`} in the last ${windowMinutes} minutes: ${names}.`,
    `最近 ${windowMinutes} 分钟有 ${refused} 个请求因限制被拒绝：${namesZh}。`,
    'limits',
  );
}

const pausesOf = (tenants: NonNullable<OpsAccepting['tenants']>, by: string): string =>
  tenants
    .slice(0, MAX_NAMED)
    .map(({ tenantId, changedBy }) => `${tenantId} (${by} ${changedBy})`)
    .join(', ');

type Made = (code: OpsReason['code'], message: string, messageZh: string, view?: OpsReason['view']) => OpsReason;

const broken: Made = (code, message, messageZh, view) => ({ code, level: 'broken', message, messageZh, view });
const degraded: Made = (code, message, messageZh, view) => ({ code, level: 'degraded', message, messageZh, view });
