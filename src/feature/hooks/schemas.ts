/** Requests and answers of the routes under /hooks. */
import { Type } from '@sinclair/typebox';
import { closed, Locale, Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';
import { CALL_OUTCOMES } from './store/hook_records';

const SESSIONS = ['new', 'same'] as const;
const LOCALES = ['en', 'zh-CN'] as const;

const FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK, ...says('who calls, such as deploys', '调用方，例如 deploys') }),
  template: Type.String({
    minLength: 1,
    maxLength: 20_000,
    pattern: NOT_BLANK,
    ...says(
      'the message to the agent; {{body.field}} stands for a value of the request, {{body}} for the whole body',
      '发给智能体的消息；{{body.字段}} 表示请求中的一个值，{{body}} 表示整个请求体',
    ),
  }),
  agent: Optional.String({ pattern: ID_PATTERN, ...says('default: default', '默认：default') }),
  session: Optional.OneOf(
    SESSIONS,
    says('new (default): a session for each run; same: one for all', 'new（默认）：每次运行一个新会话；same：共用一个会话'),
  ),
  enabled: Optional.Boolean(says('default: true', '默认：true')),
  locale: Optional.OneOf(LOCALES, says('language of the runs', '运行使用的语言')),
};

export const HookRequest = closedObject(FIELDS, {
  examples: [{ name: 'deploys', template: 'The deploy of {{body.service}} failed: {{body.error.message}}. Find out why.' }],
});
export const HookPatch = Type.Partial(HookRequest, { ...closed, examples: [{ enabled: false }] });

export const Hook = Type.Object({
  id: Type.String(),
  name: Type.String(),
  agent: Type.String(),
  template: Type.String(),
  session: oneOf(SESSIONS),
  sessionId: Optional.String(says('with session same: the session of the runs', 'session 为 same 时：运行所在的会话')),
  enabled: Type.Boolean(),
  locale: Locale,
  keyName: Type.String(says('the key for which the runs count', '运行计入的密钥')),
  url: Type.String(says('the address that starts a run', '启动运行的地址')),
  createdAt: Time,
  updatedAt: Time,
});

export const HookCall = Type.Object({
  id: Type.String(),
  outcome: oneOf(
    CALL_OUTCOMES,
    says(
      'accepted: it started a run; duplicate: an earlier message with the same webhook-id did; limited: a limit refused it; refused: anything else did',
      'accepted：启动了运行；duplicate：webhook-id 相同的先前消息已启动；limited：被限额拒绝；refused：因其他原因被拒绝',
    ),
  ),
  code: Optional.String(says('code of the error that refused it', '拒绝它的错误代码')),
  runId: Optional.String(),
  messageId: Optional.String(says('the header webhook-id', '请求头 webhook-id')),
  address: Type.String(says('address of the sender', '发送方地址')),
  createdAt: Time,
});

export const NewHook = Type.Object({
  ...Hook.properties,
  secret: Optional.String(
    says(
      'signs the requests, or is their bearer token; shown only here, and not again in a replay',
      '用于为请求签名，或作为 bearer 令牌；只在这里显示，重放的回答中也没有',
    ),
  ),
});

export const HookHeaders = Type.Object({
  'webhook-id': Optional.String({
    maxLength: 200,
    ...says('id of the message; sent again within 24 hours it starts no second run', '消息的 id；24 小时内再次发送不会启动第二次运行'),
  }),
  'webhook-timestamp': Optional.String(says('seconds since 1970; at most 5 minutes old', '自 1970 年起的秒数；最多 5 分钟之前')),
  'webhook-signature': Optional.String(
    says('signature of Standard Webhooks 1.0: v1,<base64>', 'Standard Webhooks 1.0 的签名：v1,<base64>'),
  ),
});
