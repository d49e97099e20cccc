/** Requests and answers of the usage and of the audit log. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { AnyObject, LIST_QUERY, PAGE_QUERY, Time } from './common';

const Tenant = Optional.String({
  pattern: ID_PATTERN,
  ...says('one tenant; without it an admin sees all', '指定租户；管理员不填则查看全部'),
});
const NAME = { minLength: 1, maxLength: 512 };

export const AuditQuery = closedObject({
  ...PAGE_QUERY,
  actor: Optional.String({
    ...NAME,
    ...says('who: the name of a key, local, agent:<name> or job:<id>', '操作者：密钥名、local、agent:<名称> 或 job:<id>'),
  }),
  action: Optional.String({ ...NAME, ...says('what, such as key.create', '操作，例如 key.create') }),
  target: Optional.String({ ...NAME, ...says('id or name of the thing', '对象的 id 或名称') }),
  q: Optional.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    ...says('words in the actor, the action, the target or the details, such as a command', '操作者、操作、对象或详情（例如命令）中的词'),
  }),
  from: Optional.String({ maxLength: 40, ...says('UTC time or day, included', 'UTC 时间或日期，含') }),
  to: Optional.String({ maxLength: 40, ...says('UTC time, excluded, or day, included', 'UTC 时间（不含）或日期（含）') }),
  tenant: Tenant,
});

export const AuditRow = Type.Object({
  id: Type.String(),
  tenant: Type.String(),
  at: Time,
  actor: Type.String(
    says(
      'the name of an API key, local without keys; agent:<name> or job:<id>, which act for details.key; gateway:<part>; address:<ip> for a wrong key',
      'API 密钥名，没有密钥时为 local；agent:<名称> 或 job:<id>（代表 details.key）；gateway:<部分>；密钥错误时为 address:<ip>',
    ),
  ),
  action: Type.String(says('the thing and the verb, such as key.create', '对象和动作，例如 key.create')),
  actionText: Optional.String(says('the action in words', '动作的英文说明')),
  actionTextZh: Optional.String(says('the action in Chinese', '动作的中文说明')),
  target: Type.String(says('id or name of the thing', '对象的 id 或名称')),
  details: AnyObject,
  prevHash: Type.String(
    says('hash of the row before, of whichever tenant; 64 zeros for the first', '前一行的 hash，不分租户；第一行为 64 个 0'),
  ),
  hash: Type.String(
    says(
      'SHA-256 of the JSON text [prevHash, id, tenant, at, actor, action, target, details]',
      'JSON 文本 [prevHash, id, tenant, at, actor, action, target, details] 的 SHA-256',
    ),
  ),
});

const BY = ['day', 'model', 'agent', 'key', 'tool', 'tenant'] as const;
const Day = (en: string, zhCN: string) => Optional.String({ maxLength: 40, ...says(en, zhCN) });
const Amount = (en: string, zhCN: string) => Type.Integer({ minimum: 0, ...says(en, zhCN) });

export const UsageQuery = closedObject({
  ...LIST_QUERY,
  from: Day(
    'first day in UTC, such as 2026-01-31; 29 days before to when left out',
    'UTC 起始日期，例如 2026-01-31；省略则为 to 之前 29 天',
  ),
  to: Day('last day in UTC, included; today when left out', 'UTC 结束日期（含）；省略则为今天'),
  by: Optional.OneOf(BY, { default: 'day', ...says('what a row stands for', '每行代表什么') }),
  tenant: Tenant,
});

const UsageRow = Type.Object({
  key: Type.String(
    says(
      'the day, model, agent, key, tool or tenant; empty for runs that called no model',
      '日期、模型、智能体、密钥、工具或租户；未调用模型的运行为空',
    ),
  ),
  tenant: Optional.String(says('for by=key', '用于 by=key')),
  runs: Amount(
    'ended runs, failed and cancelled ones too; a run with several models counts for the first',
    '已结束的运行，含失败和取消的；用了多个模型的运行计入第一个',
  ),
  calls: Type.Optional(Amount('for by=tool: calls in these runs', '用于 by=tool：这些运行中的调用次数')),
  inputTokens: Amount('of all model calls, those of summaries too', '所有模型调用的输入，含摘要'),
  cachedTokens: Amount('part of the input', '输入的一部分'),
  outputTokens: Amount('of all model calls', '所有模型调用的输出'),
  reasoningTokens: Amount('part of the output', '输出的一部分'),
  costUsd: Optional.Number(says('when the price of every call is known', '每次调用的价格都已知时')),
  unpriced: Optional.Literal(true, says('instead of costUsd: the price of a call is unknown', '代替 costUsd：有调用的价格未知')),
  unpricedRuns: Optional.Integer(says('runs with such calls', '含此类调用的运行数')),
  knownCostUsd: Optional.Number(says('the cost of the other calls', '其余调用的费用')),
  durationMs: Amount(
    'from the start to the end of the runs; for by=tool the time in the tool',
    '运行从开始到结束的时间；by=tool 时为工具所用时间',
  ),
});

export const Usage = Type.Object({
  from: Type.String(),
  to: Type.String(),
  by: oneOf(BY),
  data: Type.Array(UsageRow),
  nextCursor: Optional.String(),
  hasMore: Type.Boolean(),
});

const EXPORTED = [
  'session',
  'message',
  'plan',
  'summary',
  'run',
  'event',
  'question',
  'tool_execution',
  'memory',
  'prompt',
  'job',
  'webhook',
  'hook',
  'feedback',
] as const;

export const ExportedItem = Type.Object({ type: oneOf(EXPORTED), data: AnyObject });
