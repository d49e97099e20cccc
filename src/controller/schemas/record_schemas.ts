/** Requests and answers of the usage and of the audit log. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { ID_PATTERN } from '../../wire/decode';
import { AnyObject, closed, PAGE_QUERY, Time } from './common';

const Tenant = Type.Optional(
  Type.String({ pattern: ID_PATTERN, ...says('one tenant; without it an admin sees all', '指定租户；管理员不填则查看全部') }),
);
const NAME = { minLength: 1, maxLength: 512 };

export const AuditQuery = Type.Object(
  {
    ...PAGE_QUERY,
    actor: Type.Optional(
      Type.String({
        ...NAME,
        ...says('who: the name of a key, local, agent:<name> or job:<id>', '操作者：密钥名、local、agent:<名称> 或 job:<id>'),
      }),
    ),
    action: Type.Optional(Type.String({ ...NAME, ...says('what, such as key.create', '操作，例如 key.create') })),
    target: Type.Optional(Type.String({ ...NAME, ...says('id or name of the thing', '对象的 id 或名称') })),
    from: Type.Optional(Type.String({ maxLength: 40, ...says('UTC time or day, included', 'UTC 时间或日期，含') })),
    to: Type.Optional(Type.String({ maxLength: 40, ...says('UTC time, excluded, or day, included', 'UTC 时间（不含）或日期（含）') })),
    tenant: Tenant,
  },
  closed,
);

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
