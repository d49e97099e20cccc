/** Answers of the routes for operators about the configuration. */
import { type Static, Type } from '@sinclair/typebox';
import { Time } from '../../../controller/schemas/common';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';

export const Notices = Type.Array(
  Type.Object({
    code: oneOf(['file', 'model', 'price', 'mcp_server', 'mcp_tools', 'agent', 'skill', 'tool', 'other']),
    message: Type.String(),
    messageZh: Type.String(),
    file: Optional.String(),
    field: Optional.String(says('JSON pointer', 'JSON 指针')),
    line: Optional.Integer(),
  }),
  says('the warnings with their codes, in both languages', '警告及其代码，两种语言'),
);
export type Notice = Static<typeof Notices>[number];

export const OpsConfig = Type.Object({
  at: Time,
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: Time,
  settings: Type.Array(
    Type.Object({
      name: Type.String(),
      section: Type.String(),
      value: Optional.String(says('a secret shows as ***', '机密显示为 ***')),
      source: oneOf(['default', 'environment', 'none', 'file'], says('file: models.yaml replaces it', 'file：由 models.yaml 取代')),
      isSecret: Type.Boolean(),
    }),
  ),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      state: oneOf(['ok', 'absent', 'invalid']),
      changedAt: Type.Optional(Time),
      bytes: Optional.Integer(),
      problems: Type.Array(Type.String()),
      needsRestart: Type.Boolean(says('changed since the start, and read at the start only', '启动后有改动，而该文件只在启动时读取')),
      reloadedAt: Type.Optional(Time),
      isEditable: Type.Boolean(says('PUT /ops/config/<name> can change it', '可用 PUT /ops/config/<name> 修改')),
    }),
  ),
  isWritable: Type.Boolean(says('false: the directory is read-only', 'false：目录只读')),
  warnings: Type.Array(Type.String()),
  notices: Notices,
});
export type OpsConfig = Static<typeof OpsConfig>;

export const OpsAuditCheck = Type.Object({
  ok: Type.Boolean(),
  rows: Type.Integer(says('sealed rows that were read', '已读取的已封存行数')),
  unsealed: Optional.Integer(
    says(
      'rows that wait for their place in the chain, usually 0: the check says nothing about them',
      '等待加入哈希链的行数，通常为 0：检查不涉及这些行',
    ),
  ),
  head: Optional.String(says('hash of the newest row: note it elsewhere to notice a cut', '最新一行的哈希：另存一份即可发现截断')),
  fault: Optional.OneOf(
    ['changed', 'gap', 'cut'],
    says('a row was changed, the row before is missing, or rows behind are missing', '行被改动、前一行缺失，或其后的行缺失'),
  ),
  id: Optional.String(says('the first broken row', '第一个损坏的行')),
  at: Type.Optional(Time),
});
export type OpsAuditCheck = Static<typeof OpsAuditCheck>;

export const OpsDoctor = Type.Object({
  ok: Type.Boolean(says('nothing fails', '没有失败的检查')),
  checks: Type.Array(Type.Object({ name: Type.String(), status: oneOf(['ok', 'warn', 'fail']), message: Type.String() })),
});
