/** Requests and answers of the routes under /jobs. */
import { Type } from '@sinclair/typebox';
import { Locale, Time } from '../../controller/schemas/common';
import { OWNED_FIELDS, SHARING_FIELDS } from '../../controller/schemas/owned_schemas';
import { RUN_STATUSES } from '../../port/run_event';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';

const SESSIONS = ['new', 'same'] as const;
const ON_MISSED = ['run', 'skip'] as const;
const ON_OVERLAP = ['skip', 'queue'] as const;
const LOCALES = ['en', 'zh-CN'] as const;
const TRIGGERS = ['schedule', 'manual', 'missed'] as const;

const CRON = says('five fields: minute, hour, day of month, month, day of week', '五个字段：分、时、日、月、星期');
const EVERY = says('milliseconds, at least 60,000, from the creation of the job on', '毫秒，至少 60000，从任务创建时算起');

const ScheduleRequest = closedObject(
  {
    cron: Optional.String({ minLength: 1, maxLength: 200, ...CRON }),
    timeZone: Optional.String({
      minLength: 1,
      maxLength: 100,
      ...says(
        'time zone of cron, such as Europe/Berlin; that of the gateway when left out',
        'cron 的时区，如 Asia/Shanghai；省略则用网关的时区',
      ),
    }),
    everyMs: Optional.Number(EVERY),
    at: Optional.String({
      minLength: 1,
      maxLength: 40,
      ...says('one time, ISO 8601 with Z or an offset', '单个时间，ISO 8601，带 Z 或时差'),
    }),
  },
  says('exactly one of cron, everyMs and at', 'cron、everyMs、at 三者恰好给出一个'),
);

const FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }),
  schedule: ScheduleRequest,
  input: Type.String({
    minLength: 1,
    maxLength: 200_000,
    pattern: NOT_BLANK,
    ...says('the message to the agent, the same at each run', '每次运行发给智能体的消息'),
  }),
  agent: Optional.String({ pattern: ID_PATTERN, ...says('default: default', '默认：default') }),
  session: Optional.OneOf(
    SESSIONS,
    says('new (default): a session for each run; same: one for all', 'new（默认）：每次运行一个新会话；same：共用一个会话'),
  ),
  onMissed: Optional.OneOf(
    ON_MISSED,
    says('due times during downtime; run (default): one run for all of them', '停机期间错过的时间；run（默认）：合并补一次；skip：不补'),
  ),
  onOverlap: Optional.OneOf(
    ON_OVERLAP,
    says(
      'a due time while a run of the job goes on; skip (default): no run, queue: one run afterwards',
      '到时间而上一次运行未结束；skip（默认）：跳过；queue：结束后补一次',
    ),
  ),
  enabled: Optional.Boolean(says('default: true', '默认：true')),
  locale: Optional.OneOf(LOCALES, says('language of the runs', '运行使用的语言')),
};

export const JobRequest = closedObject(FIELDS, {
  examples: [{ name: 'Morning news', schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' }, input: 'Summarise the news.' }],
});
export const JobPatch = closedObject({ ...Type.Partial(JobRequest).properties, ...SHARING_FIELDS }, { examples: [{ enabled: false }] });

export const JobRun = Type.Object({
  runId: Type.String(),
  sessionId: Type.String(),
  dueAt: Type.String({ format: 'date-time', ...says('for a manual run the time of the request', '手动运行则为请求的时间') }),
  startedAt: Optional.String({ format: 'date-time', ...says('absent while the run is queued', '排队期间没有') }),
  status: oneOf(RUN_STATUSES),
  trigger: oneOf(TRIGGERS),
});

export const Job = Type.Object({
  id: Type.String(),
  name: Type.String(),
  schedule: Type.Object({
    cron: Optional.String(),
    timeZone: Optional.String(),
    everyMs: Optional.Integer(),
    at: Type.Optional(Time),
  }),
  input: Type.String(),
  agent: Type.String(),
  session: oneOf(SESSIONS),
  onMissed: oneOf(ON_MISSED),
  onOverlap: oneOf(ON_OVERLAP),
  enabled: Type.Boolean(),
  nextRunAt: Optional.String({ format: 'date-time', ...says('absent while the job is disabled', '任务停用时没有') }),
  lastRun: Type.Optional(JobRun),
  pausedReason: Optional.String(says('why the gateway disabled the job', '网关停用任务的原因')),
  locale: Locale,
  ...OWNED_FIELDS,
  createdAt: Time,
  updatedAt: Time,
});

export const JobRunStarted = Type.Object({ runId: Type.String(), sessionId: Type.String() });
