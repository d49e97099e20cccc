/** Requests and answers of the routes under /webhooks. */
import { Type } from '@sinclair/typebox';
import { AnyObject, Time } from '../../controller/schemas/common';
import { WEBHOOK_EVENTS } from '../../port/webhook_sender';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { DELIVERY_STATUSES } from './store/webhook_records';

const EVENTS = says(
  'run.completed: status completed or incomplete; run.waiting: a question or an approval waits; budget.threshold: most of a daily budget is used; login.unusual: a person signed in from a new network or browser; login.changed: a way of a person to log in was added, changed or removed',
  'run.completed：状态为 completed 或 incomplete；run.waiting：有问题或批准在等待；budget.threshold：当日预算已用去大部分；login.unusual：有人从新的网络或浏览器登录；login.changed：某人的登录方式被添加、更改或移除',
);

export const WebhookRequest = closedObject(
  {
    url: Type.String({ minLength: 1, maxLength: 2_000, ...says('http or https address', 'http 或 https 地址') }),
    events: Optional.Array(oneOf(WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: WEBHOOK_EVENTS.length,
      uniqueItems: true,
      ...says('default: all', '默认：全部'),
    }),
    secret: Optional.String({
      maxLength: 200,
      ...says('whsec_ and 24 to 64 bytes in base64; a new one when left out', 'whsec_ 加 24 到 64 字节的 base64；省略则新建'),
    }),
  },
  { examples: [{ url: 'https://example.com/neta', events: ['run.completed', 'run.failed'] }] },
);

export const Webhook = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(oneOf(WEBHOOK_EVENTS), EVENTS),
  enabled: Type.Boolean(says('false after the server answered 410', '服务器返回 410 后为 false')),
  disabledReason: Optional.String(),
  createdAt: Time,
});

export const NewWebhook = Type.Object({
  ...Webhook.properties,
  secret: Optional.String(
    says('signs the deliveries; shown only here, and not again in a replay', '用于签名；只在这里显示，重放的回答中也没有'),
  ),
});

export const WebhookDelivery = Type.Object({
  id: Type.String(says('the header webhook-id, the same for each try', '即请求头 webhook-id，每次尝试都相同')),
  webhookId: Type.String(),
  type: oneOf(WEBHOOK_EVENTS),
  status: oneOf(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  nextAttemptAt: Type.Optional(Time),
  lastStatus: Optional.Integer(says('HTTP status of the last answer', '最近一次回答的 HTTP 状态')),
  lastError: Optional.String(),
  body: AnyObject,
  createdAt: Time,
  deliveredAt: Type.Optional(Time),
});
