/** Answers of the routes for operators about the configuration. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { oneOf, Time } from './common';

export const OpsConfig = Type.Object({
  at: Time,
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: Time,
  settings: Type.Array(
    Type.Object({
      name: Type.String(),
      section: Type.String(),
      value: Type.Optional(Type.String(says('a secret shows as ***', '机密显示为 ***'))),
      source: oneOf(['default', 'environment', 'none', 'file'], says('file: models.yaml replaces it', 'file：由 models.yaml 取代')),
      isSecret: Type.Boolean(),
    }),
  ),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      state: oneOf(['ok', 'absent', 'invalid']),
      changedAt: Type.Optional(Time),
      problems: Type.Array(Type.String()),
      needsRestart: Type.Boolean(says('changed since the start, and read at the start only', '启动后有改动，而该文件只在启动时读取')),
    }),
  ),
  warnings: Type.Array(Type.String()),
});

export const OpsDoctor = Type.Object({
  ok: Type.Boolean(says('nothing fails', '没有失败的检查')),
  checks: Type.Array(Type.Object({ name: Type.String(), status: oneOf(['ok', 'warn', 'fail']), message: Type.String() })),
});
