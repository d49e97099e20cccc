/** Requests and answers of API keys and logins. */
import { Type } from '@sinclair/typebox';
import { SCOPES } from '../../port/principal';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { Time } from './common';

const OneScope = oneOf(SCOPES);
const Scopes = Type.Array(OneScope, says('what the key may do', '密钥的权限'));

export const ApiKeyRequest = closedObject({
  name: Type.String({ pattern: '^[\\w.-]{1,64}$', ...says('recorded with what the key does', '随密钥的操作一起记录') }),
  tenant: Optional.String({
    pattern: ID_PATTERN,
    ...says('the tenant of the caller when left out; another one is for operators', '省略时为调用方的租户；其他租户只对运维人员开放'),
  }),
  scopes: Type.Array(OneScope, { minItems: 1, maxItems: SCOPES.length, ...says('what the key may do', '密钥的权限') }),
  expiresAt: Optional.String({
    maxLength: 40,
    ...says('UTC time such as 2026-12-31T00:00:00Z; never when left out', 'UTC 时间；省略则不过期'),
  }),
});

export const CreateKeyHeaders = Type.Object({
  'idempotency-key': Optional.String({
    maxLength: 255,
    ...says('a retry with the same key answers the same id, without the secret', '用相同的键重试会返回同一个 id，不含密钥'),
  }),
});

export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tenant: Type.String(),
  scopes: Scopes,
  owner: Optional.String(
    says('handle of the person who made the key; the two count as one approver', '创建密钥的人员的标识；两者算作同一个批准人'),
  ),
  source: oneOf(
    ['settings', 'stored'],
    says('settings: from NETA_API_KEYS, which alone can revoke it', 'settings 表示来自 NETA_API_KEYS，只能在那里吊销'),
  ),
  createdAt: Type.Optional(Time),
  expiresAt: Type.Optional(Time),
  lastUsedAt: Type.Optional(Time),
});

export const MadeApiKey = Type.Object({
  ...ApiKey.properties,
  secret: Optional.String(says('shown this once; absent in a replay', '只显示这一次；重放时没有')),
});

/** Either a key, or e-mail and password. */
export const LoginRequest = closedObject({
  key: Optional.String({ minLength: 1, maxLength: 1_000, ...says('an API key', 'API 密钥') }),
  email: Optional.String({ minLength: 3, maxLength: 254, ...says('the e-mail address of a person', '人员的电子邮件地址') }),
  password: Optional.String({ minLength: 1, maxLength: 256, ...says('the password of that person', '该人员的密码') }),
  code: Optional.String({
    minLength: 1,
    maxLength: 64,
    ...says('of the authenticator app, or a recovery code', '验证器应用的验证码，或恢复码'),
  }),
});

export const Login = Type.Object({
  id: Type.String(),
  createdAt: Time,
  expiresAt: Time,
  address: Optional.String(says('IP address of the client', '客户端的 IP 地址')),
  userAgent: Optional.String(says('what the client said it is', '客户端的自我描述')),
  current: Type.Boolean(says('the login of this request', '本次请求的登录')),
});

export const LogoutRequest = closedObject({ everywhere: Optional.Boolean(says('end all logins with this key', '结束用此密钥的所有登录')) });

export const Me = Type.Object({
  keyName: Type.String(says('local without a key', '没有密钥时为 local')),
  keyId: Optional.String(says('id of the key; absent for the login of a person', '密钥的 id；以个人身份登录时没有此项')),
  tenant: Type.String(),
  scopes: Scopes,
  operator: Type.Boolean(says('sees and changes what concerns the whole gateway', '能查看和更改涉及整个网关的内容')),
  loginRequired: Type.Boolean(says('whether callers need a key', '调用方是否需要密钥')),
  expiresAt: Type.Optional(Time),
  person: Type.Optional(
    Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        role: Type.String(),
        hasPassword: Optional.Boolean(says('the person logs in with a password, too', '此人也可用密码登录')),
        groups: Type.Optional(Type.Array(Type.String(), says('of a directory or a login provider', '来自目录或登录服务'))),
        needs: Type.Optional(
          Type.Literal(
            'authenticator',
            says(
              'the person must add an authenticator app with /me/totp, and may do nothing else until then',
              '此人须先用 /me/totp 添加验证器应用，在此之前不能做其他事情',
            ),
          ),
        ),
      },
      says('set for a key of the person, too; absent for other keys', '个人的密钥也有此项；其他密钥没有'),
    ),
  ),
  guestOf: Optional.String(says('of a guest: the session in which it writes', '访客可以写入的会话')),
});
