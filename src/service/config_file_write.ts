/** Stores a changed file of the configuration directory, for the pages that edit it. */
import { AppError } from '../errors';
import { ConfigEditError, type ConfigEditor } from '../port/config_files';
import type { Principal } from '../port/principal';
import { contentHash } from '../utils/content_hash';
import { type AuditRecorder, byActor } from './audit/audit_log';

export interface ConfigWrite {
  name: string;
  /** The whole text, checked already. */
  text: string;
  /** Hash of the text that was changed; absent for a new file. */
  baseHash?: string;
}

/** Rejects `forbidden` for a directory that is read-only, and `config_changed` when the file is no longer the one of `baseHash`. */
export async function assertUnchanged(
  configEditor: ConfigEditor,
  { name, baseHash }: Pick<ConfigWrite, 'name' | 'baseHash'>,
): Promise<void> {
  if (!(await configEditor.isWritable())) throw readOnly();
  const now = await configEditor.readText(name);
  if (now?.hash !== baseHash) throw changed(now?.hash);
}

/** Writes the text, with a row in the audit log. Resolves with the hash of the stored text. Rejects as `assertUnchanged`. */
export async function writeConfigFile(
  { configEditor, auditLog }: { configEditor: ConfigEditor; auditLog: AuditRecorder },
  principal: Principal,
  { name, text, baseHash }: ConfigWrite,
): Promise<string> {
  const hash = contentHash(text);
  // An act on files has no transaction: its row comes first.
  const details = { before: baseHash ?? 'none', after: hash };
  await auditLog.record({ ...byActor(principal), action: 'config.write', target: name, details });
  await configEditor.writeText(name, text, baseHash).catch(thrown => {
    if (!(thrown instanceof ConfigEditError)) throw thrown;
    throw thrown.code === 'changed' ? changed(undefined) : readOnly();
  });
  return hash;
}

const changed = (hash: string | undefined): AppError =>
  new AppError('config_changed', { param: '/baseHash', details: hash === undefined ? undefined : { hash } });

const readOnly = (): AppError =>
  new AppError('forbidden', {
    param: '/file',
    message: 'The configuration directory is read-only here: change the file where it comes from.',
    messageZh: '配置目录在这里是只读的：请在文件的来源处修改。',
  });
