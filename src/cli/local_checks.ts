/** Checks of this machine without the gateway: directories, database, disk, port. Mends only what is safe. */
import { existsSync } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSettings } from '../../config/settings';
import type { Bilingual } from '../utils/bilingual';
import { formatBytes } from '../utils/format_bytes';
import type { LocalPlace } from './gateway_place';
import { findPortProblem } from './listen_address';
import type { Language } from './texts';

export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
}

const LOW_DISK_SHARE = 0.1;
const DIRECTORIES = ['dataDir', 'workspace', 'configDir'] as const;

/** Says which setting the start would refuse. */
export function checkSettings(root: string, values: NodeJS.ProcessEnv, language: Language): Check {
  try {
    readSettings(values, root);
    return { name: 'local:settings', status: 'ok', message: TEXTS.settings[language] };
  } catch (thrown) {
    return { name: 'local:settings', status: 'fail', message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Reads only. */
export async function checkPlace(place: LocalPlace, language: Language): Promise<Check[]> {
  const checks: Check[] = [];
  for (const name of DIRECTORIES) {
    const path = place[name];
    const isThere = existsSync(path);
    const message = isThere ? path : `${path}: ${TEXTS.missing[language]}`;
    checks.push({ name: `local:${name}`, status: isThere ? 'ok' : name === 'configDir' ? 'fail' : 'warn', message });
  }
  checks.push(await checkPort(place, language));
  if (!existsSync(place.dataDir)) return checks;
  checks.push(await checkDisk(place.dataDir, language));
  if (place.isOnServer) return [...checks, { name: 'local:database', status: 'ok', message: TEXTS.onServer[language] }];
  return [...checks, await checkDatabase(join(place.dataDir, 'neta.db'), language)];
}

/** Makes missing directories, and empties the write-ahead log of a gateway that is down. Returns what was done. */
export async function mendPlace({ dataDir, workspace }: LocalPlace, language: Language, isRunning: boolean): Promise<string[]> {
  const done: string[] = [];
  for (const path of [dataDir, workspace]) {
    if (existsSync(path)) continue;
    await mkdir(path, { recursive: true, mode: 0o700 });
    done.push(`${TEXTS.made[language]} ${path}`);
  }
  const file = join(dataDir, 'neta.db');
  const wal = await sizeOf(`${file}-wal`);
  if (isRunning || !existsSync(file) || wal === 0) return done;
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
  done.push(`${TEXTS.emptied[language]} (${formatBytes(wal)})`);
  return done;
}

async function checkDisk(path: string, language: Language): Promise<Check> {
  const { bavail, blocks, bsize } = await statfs(path);
  const message = `${TEXTS.free[language]}: ${formatBytes(bavail * bsize)} / ${formatBytes(blocks * bsize)}`;
  return { name: 'local:disk', status: bavail < blocks * LOW_DISK_SHARE ? 'warn' : 'ok', message };
}

async function checkPort({ host, port }: LocalPlace, language: Language): Promise<Check> {
  const problem = await findPortProblem(host, port);
  const address = `${host}:${port}`;
  if (problem === undefined) return { name: 'local:port', status: 'ok', message: `${address}: ${TEXTS.portFree[language]}` };
  if (problem === 'EADDRINUSE') return { name: 'local:port', status: 'warn', message: `${address}: ${TEXTS.portUsed[language]}` };
  return { name: 'local:port', status: 'fail', message: `${address}: ${TEXTS.portClosed[language]} (${problem})` };
}

async function checkDatabase(file: string, language: Language): Promise<Check> {
  const name = 'local:database';
  if (!existsSync(file)) return { name, status: 'warn', message: `${file}: ${TEXTS.noDatabase[language]}` };
  const sizes = `${formatBytes(await sizeOf(file))}, WAL ${formatBytes(await sizeOf(`${file}-wal`))}`;
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const found = String(Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0]);
      const migrations = database.prepare('select count(*) as count, max(name) as newest from schema_migrations').get();
      if (found !== 'ok') return { name, status: 'fail', message: found };
      return { name, status: 'ok', message: `${sizes}, ${migrations?.['count']} migrations, ${migrations?.['newest']}` };
    } finally {
      database.close();
    }
  } catch (thrown) {
    return { name, status: 'fail', message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

const TEXTS = {
  settings: { en: 'a start accepts them', 'zh-CN': '可以启动' },
  missing: { en: 'does not exist', 'zh-CN': '不存在' },
  made: { en: 'made the directory', 'zh-CN': '已建立目录' },
  emptied: { en: 'emptied the write-ahead log', 'zh-CN': '已清空预写日志' },
  free: { en: 'free', 'zh-CN': '剩余' },
  portFree: { en: 'free', 'zh-CN': '空闲' },
  portUsed: { en: 'a program listens there', 'zh-CN': '已有程序在监听' },
  portClosed: { en: 'a gateway cannot listen there', 'zh-CN': '网关无法在此监听' },
  onServer: { en: 'DATABASE_URL: a running gateway checks it', 'zh-CN': 'DATABASE_URL：由运行中的网关检查' },
  noDatabase: { en: 'there is no database yet', 'zh-CN': '还没有数据库' },
} as const satisfies Record<string, Bilingual>;
