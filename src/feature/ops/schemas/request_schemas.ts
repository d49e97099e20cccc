/** Queries and bodies of the routes under /ops. */
import { Type } from '@sinclair/typebox';
import { PAGE_QUERY } from '../../../controller/schemas/common';
import { DOORS, INCOMPLETE_REASONS, TERMINAL_STATUSES } from '../../../port/run_event';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';
import { ID_PATTERN } from '../../../wire/decode';

const Reason = Optional.String({
  maxLength: 200,
  ...says('why; kept in the audit log, so no secrets', '原因；保存在审计日志中，请勿包含机密'),
});
const KEY_NAME = '^[\\w.-]{1,64}$';

const FILTER = {
  agent: Optional.String({ pattern: ID_PATTERN, ...says('name of the agent', '智能体的名称') }),
  door: Optional.OneOf(DOORS, says('door by which they came', '进入的入口')),
  key: Optional.String({ pattern: KEY_NAME, ...says('name of the API key', 'API 密钥的名称') }),
  stuck: Optional.OneOf(
    ['true'],
    says('only live runs without an event for 60 s that wait for no person', '只列出 60 秒没有事件且不在等人的活动运行'),
  ),
};

const TEXTS = {
  texts: Optional.OneOf(
    ['true'],
    says(
      'adds the first words of messages and the commands of pending calls; without the scope chat they are left out',
      '加上消息的开头和未完成调用的命令；没有 chat 权限时不出现',
    ),
  ),
};

export const OpsRunsQuery = closedObject({
  ...PAGE_QUERY,
  ...FILTER,
  ...TEXTS,
  status: Optional.OneOf(TERMINAL_STATUSES, says('only runs that ended so', '只列出这样结束的运行')),
  reason: Optional.OneOf(INCOMPLETE_REASONS, says('why they are incomplete', '未完成的原因')),
  since: Optional.String({ maxLength: 40, ...says('created at this time or later, ISO 8601', '在此时间或之后创建，ISO 8601') }),
  until: Optional.String({ maxLength: 40, ...says('created before this time, ISO 8601', '在此时间之前创建，ISO 8601') }),
  tenant: Optional.String({
    pattern: KEY_NAME,
    ...says('one tenant; others than your own need admin', '单个租户；不是自己的租户时需要 admin'),
  }),
  sort: Optional.OneOf(
    ['cost', 'tokens', 'duration', 'calls'],
    says(
      'largest first, out of the newest 1,000 ended runs that match, on one page; calls leaves ended runs newest first, because their calls are not stored',
      '在符合条件的最新 1,000 个已结束运行中，最大的在前，只有一页；calls 时已结束的运行仍是最新的在前，因为不保存它们的调用次数',
    ),
  ),
  q: Optional.String({ pattern: ID_PATTERN, ...says('the id of a run or of a session', '运行或会话的 id') }),
});

export const CancelRequest = closedObject({ reason: Reason });

export const CancelRunsRequest = closedObject({
  filter: closedObject(
    { agent: FILTER.agent, door: FILTER.door, key: FILTER.key, stuck: Optional.Literal(true) },
    { minProperties: 1, ...says('which live runs; at least one field', '要取消哪些活动运行；至少一个字段') },
  ),
  reason: Reason,
});

export const SwitchToolRequest = closedObject({
  enabled: Type.Boolean(says('false: new turns do not get the tool', 'false：新的轮次不再得到此工具')),
  reason: Reason,
});

export const AcceptingRequest = closedObject({
  accepting: Type.Boolean(says('false: new runs are refused with not_accepting', 'false：新的运行以 not_accepting 拒绝')),
  reason: Reason,
  tenant: Optional.String({
    pattern: KEY_NAME,
    ...says('one tenant; others than your own need admin', '单个租户；不是自己的租户时需要 admin'),
  }),
});

export const OpsStreamQuery = closedObject({
  ...TEXTS,
  view: oneOf(
    ['overview', 'runs', 'people', 'tools', 'models', 'limits', 'connections'],
    says('the view to watch: the JSON of GET /ops/<view>', '要观看的视图：即 GET /ops/<view> 的 JSON'),
  ),
});
