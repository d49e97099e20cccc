/** Requests and answers of the routes of links to chats. */
import { Type } from '@sinclair/typebox';
import { PAGE_QUERY, Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

export const ShareRequest = closedObject(
  {
    days: Optional.Integer({ minimum: 1, maximum: 365, default: 30, ...says('days until the link expires', '链接的有效天数') }),
    withoutLogin: Optional.Boolean(
      says(
        'true: whoever has the link can read the chat; the operator must allow it with NETA_SHARE_WITHOUT_LOGIN',
        'true：拥有链接的任何人都可阅读；运维人员须用 NETA_SHARE_WITHOUT_LOGIN 允许',
      ),
    ),
  },
  { examples: [{ days: 7 }] },
);

export const SharedQuery = closedObject(PAGE_QUERY);

const FIELDS = {
  id: Type.String(),
  sessionId: Type.String(),
  withoutLogin: Type.Boolean(),
  keyName: Optional.String(says('the key that made the link', '创建链接的密钥')),
  createdAt: Time,
  expiresAt: Time,
};
export const Share = Type.Object(FIELDS);
export const MadeShare = Type.Object({
  ...FIELDS,
  token: Type.String(says('shown once; the page of the link is /shared#<token>', '只显示一次；链接页面为 /shared#<token>')),
});

export const SharedChat = Type.Object({
  title: Type.String(),
  sharedAt: Time,
  expiresAt: Time,
  messages: Type.Array(Type.Object({ role: oneOf(['user', 'assistant']), content: Type.String(), createdAt: Time })),
  nextCursor: Optional.String(says('for the messages that follow', '用于后面的消息')),
});
