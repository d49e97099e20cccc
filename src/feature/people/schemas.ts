/** Requests and answers of people, invitations and roles. */
import { Type } from '@sinclair/typebox';
import { Time } from '../../controller/schemas/common';
import { SCOPES } from '../../port/principal';
import { GUEST, ROLES } from '../../port/roles';
import { says } from '../../utils/bilingual';
import { MAX_PASSWORD } from '../../utils/password_strength';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { WAYS_IN } from './person/ways_in';

const EMAIL = { minLength: 3, maxLength: 254 };
/** Any character counts, also spaces, and no kind is asked for. */
const NewPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD, ...says('at least 12 characters', '至少 12 个字符') });
const NAME = { minLength: 1, maxLength: 100, pattern: '\\S' };

export const Person = Type.Object({
  id: Type.String(),
  name: Type.String(),
  handle: Type.String(says('names the person where keys have their name: in runs, decisions, audit', '在运行、决定和审计中代替密钥名称')),
  email: Optional.String(says('left out for a person without a verified address', '没有已验证地址的人没有此字段')),
  role: oneOf(ROLES),
  state: oneOf(['active', 'disabled']),
  waysIn: Type.Optional(Type.Array(oneOf(WAYS_IN), says('how the person can log in; in lists alone', '此人的登录方式；仅在列表中'))),
  createdAt: Time,
  lastLoginAt: Type.Optional(Time),
});

export const PersonName = Type.Object({ handle: Type.String(), name: Type.String() });

export const PersonPatch = closedObject({
  name: Optional.String(NAME),
  role: Type.Optional(oneOf(ROLES, says('counts at once', '立即生效'))),
  disabled: Optional.Boolean(says('true: logged out everywhere, and no login any more', 'true 表示在各处退出，且不能再登录')),
});

export const InvitationRequest = closedObject({
  role: oneOf(ROLES, says('operator: only in the tenant default, and only from operators', 'operator 只能在 default 租户中由运维人员授予')),
  email: Optional.String({ ...EMAIL, ...says('left out: whoever accepts writes an address', '省略时由接受者填写') }),
});

export const MadeInvitation = Type.Object({
  id: Type.String(),
  url: Type.String(says('shown this once; it works once', '只显示这一次，且只能使用一次')),
  role: oneOf(ROLES),
  email: Optional.String(),
  mail: Type.Optional(
    oneOf(
      ['sent', 'failed'],
      says(
        'whether the link was mailed to the person; left out without NETA_SMTP_URL',
        '链接是否已用邮件发给此人；没有 NETA_SMTP_URL 时省略',
      ),
    ),
  ),
  expiresAt: Time,
});

export const Invitation = Type.Object({
  kind: oneOf(['account', 'password'], says('what the link makes', '链接的用途')),
  role: oneOf(ROLES),
  email: Optional.String(),
  expiresAt: Time,
});

export const AcceptRequest = closedObject({
  name: Optional.String({ ...NAME, ...says('needed for an account', '创建账户时必填') }),
  email: Optional.String({ ...EMAIL, ...says('needed when the invitation names none', '邀请中没有时必填') }),
  password: NewPassword,
  code: Optional.String({
    minLength: 1,
    maxLength: 64,
    ...says('of the authenticator app, for a new password', '设置新密码时验证器应用的验证码'),
  }),
});

export const PasswordChange = closedObject({
  current: Type.String({ minLength: 1, maxLength: 256, ...says('the current password', '当前的密码') }),
  password: NewPassword,
});

export const RoleRow = Type.Object({
  role: oneOf([...ROLES, GUEST]),
  scopes: Type.Array(oneOf(SCOPES)),
  keepDays: Optional.Integer(
    says(
      'days that chats of people with the role are kept after their last use; 0: for ever. Left out: as NETA_KEEP_SESSIONS_DAYS says',
      '该角色人员的会话自最后使用起的保留天数；0 表示永久。缺省时遵循 NETA_KEEP_SESSIONS_DAYS',
    ),
  ),
});

export const LoginWays = Type.Object({
  key: Type.Boolean(says('an API key', 'API 密钥')),
  password: Type.Boolean(says('e-mail and password', '电子邮件和密码')),
  passkey: Type.Boolean(says('a passkey', '通行密钥')),
  providers: Type.Array(
    Type.Object({
      id: Type.String(says('stands in /auth/<id>/start', '用于 /auth/<id>/start')),
      name: Type.String(says('for the button', '按钮文字')),
    }),
    says('login providers of login.yaml', 'login.yaml 中的登录服务器'),
  ),
});

const ReturnPath = Optional.String({
  maxLength: 1_000,
  ...says('a path of this gateway; the chat page when left out', '此网关的路径，省略时为对话页面'),
});

export const ProviderLoginQuery = closedObject({ return_to: ReturnPath });

export const ProviderLoginRequest = closedObject({
  returnTo: ReturnPath,
  invitation: Optional.String({ maxLength: 128, ...says('the token of an invitation', '邀请的令牌') }),
});

export const ProviderLinkRequest = closedObject({ returnTo: ReturnPath });

export const OwnProvider = Type.Object({
  id: Type.String(says('that of login.yaml', 'login.yaml 中的 id')),
  name: Type.String(says('for the button', '按钮文字')),
  linkedAt: Type.Optional(Time),
});

export const ProviderPage = Type.Object({ url: Type.String(says('the page of the provider', '登录服务器的页面')) });
