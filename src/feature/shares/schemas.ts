/** Requests and answers of the routes of links to chats. */
import { Type } from '@sinclair/typebox';
import { PAGE_QUERY, Time, UTC_TIME } from '../../controller/schemas/common';
import { GUEST } from '../../port/roles';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

const SHARE_ROLES = ['viewer', GUEST] as const;

export const ShareRequest = closedObject(
  {
    expiresAt: Optional.String({
      pattern: UTC_TIME,
      ...says(
        'ISO 8601 in UTC, at most 366 days from now; 30 days when left out',
        'ISO 8601 格式的 UTC 时间，距现在最多 366 天；省略时为 30 天',
      ),
    }),
    role: Optional.OneOf(
      SHARE_ROLES,
      says(
        'viewer: reads the chat as it is now. guest: whoever has the link writes in the chat without login, until the link ends; the operator must allow it with NETA_PUBLIC_SHARES',
        'viewer：阅读对话现有的内容。guest：拥有链接的任何人在链接失效之前无需登录即可在对话中写入；运维人员须用 NETA_PUBLIC_SHARES 允许',
      ),
    ),
    public: Optional.Boolean(
      says(
        'true: whoever has the link can read the chat without login; the operator must allow it with NETA_PUBLIC_SHARES',
        'true：拥有链接的任何人无需登录即可阅读；运维人员须用 NETA_PUBLIC_SHARES 允许',
      ),
    ),
  },
  { examples: [{ expiresAt: '2027-01-31T08:00:00Z' }] },
);

export const SharedQuery = closedObject(PAGE_QUERY);

/** The token travels in a header: logs of servers and proxies keep addresses. */
export const SharedHeaders = Type.Object({
  'x-share-token': Type.String(says('the token of the link, which stands behind # in its address', '链接的令牌，即其地址中 # 之后的部分')),
});

const FIELDS = {
  id: Type.String(),
  sessionId: Type.String(),
  role: oneOf(SHARE_ROLES),
  public: Type.Boolean(says('true: readable without login', 'true：无需登录即可阅读')),
  keyName: Optional.String(says('the key that made the link', '创建链接的密钥')),
  createdAt: Time,
  expiresAt: Time,
};
export const Share = Type.Object(FIELDS);
export const MadeShare = Type.Object({
  ...FIELDS,
  url: Type.String(says('address of the read-only page; shown once', '只读页面的地址；只显示一次')),
  token: Type.String(says('the part of url behind #', 'url 中 # 之后的部分')),
});

const SHOWN = {
  title: Type.String(),
  messages: Type.Array(Type.Object({ role: oneOf(['user', 'assistant']), content: Type.String(), createdAt: Time })),
  nextCursor: Optional.String(says('for the messages that follow', '用于后面的消息')),
};
export const SharedChat = Type.Object({ ...SHOWN, role: oneOf(SHARE_ROLES), sharedAt: Time, expiresAt: Time });
export const ShareWithChat = Type.Object({ ...FIELDS, ...SHOWN });
