/** Commands for the data of a gateway on this machine: backup, restore, migrate-store, export. They need no running gateway. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { GatewayData } from '../archives';
import { formatBytes } from '../utils/format_bytes';
import { type Command, EXIT, type Invocation, UsageError } from './command';
import { ROOT } from './directory';
import { findPlace, readEnvironment } from './gateway_place';
import { findUnitAgainst } from './service';
import { type Language, TEXTS } from './texts';

/** Opens the data of the gateway of this directory. */
const openOwnData = async ({ env }: Invocation): Promise<GatewayData> => openData(await readEnvironment('.', env));

/** Opens the data of a gateway with these settings. The module loads on demand: other commands need no database. */
export function openData(env: NodeJS.ProcessEnv): GatewayData {
  const { openGatewayData } = require(join(__dirname, '../archives.js')) as typeof import('../archives');
  return openGatewayData(env, ROOT);
}

const backup: Command = {
  usage: '',
  summary: {
    en: 'Write the data of the gateway of this directory into one archive, while it runs',
    'zh-CN': '把本目录网关的数据写入一个归档文件，网关可以继续运行',
  },
  options: {
    to: {
      type: 'string',
      summary: {
        en: 'directory of the archive (default: backups in the data directory)',
        'zh-CN': '归档所在目录（默认：数据目录中的 backups）',
      },
    },
    every: {
      type: 'string',
      summary: {
        en: 'also let the gateway make a backup at this interval: 12h, 1d; off ends the schedule',
        'zh-CN': '并让网关定期备份：12h、1d；off 取消',
      },
    },
    keep: {
      type: 'string',
      summary: {
        en: 'number of archives that stay in the directory (default: all)',
        'zh-CN': '目录中只保留这么多个归档（默认：全部保留）',
      },
    },
  },
  async run(invocation) {
    const { output, options, language } = invocation;
    const order = { keep: readKeep(options['keep'], language), everyMs: readEvery(options['every'], language) };
    const data = await openOwnData(invocation);
    const directory = options['to'] ? resolve(String(options['to'])) : data.backupDir;
    const { incomplete, ...made } = await data.makeBackup({ directory, ...order });
    const unit = order.everyMs ? await findUnitAgainst(directory, resolve('.'), invocation.env) : undefined;
    if (unit !== undefined) output.note(`${TEXTS.closedTo[language]} ReadWritePaths=${directory} (${unit})`, 'yellow');
    for (const path of incomplete) output.note(`${TEXTS.incomplete[language]}: ${path}`, 'yellow');
    if (output.isJson) output.json({ ...made, incomplete });
    else {
      output.note(`${made.rows} ${TEXTS.rows[language]}, ${made.files} ${TEXTS.files[language]}, ${formatBytes(made.bytes)}`);
      output.line(made.file);
    }
    return EXIT.done;
  },
};

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The gateway looks for a due backup this often. */
const SHORTEST_MS = 10_000;

/** Reads a time such as 12h or 1d in milliseconds; 0 for `off`. Throws a UsageError. */
function readEvery(given: string | boolean | undefined, language: Language): number | undefined {
  if (given === undefined) return undefined;
  if (given === 'off') return 0;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(String(given)) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  if (!(milliseconds >= SHORTEST_MS)) throw new UsageError(`--every: ${TEXTS.badTime[language]}`);
  return milliseconds;
}

/** Throws a UsageError. */
function readKeep(given: string | boolean | undefined, language: Language): number | undefined {
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(String(given))) throw new UsageError(`--keep: ${TEXTS.badCount[language]}`);
  return Number(given);
}

const restore: Command = {
  usage: '<file>',
  summary: {
    en: 'Restore an archive into the empty gateway of this directory, which must not run',
    'zh-CN': '把归档恢复到本目录中空的、未运行的网关',
  },
  async run(invocation) {
    const { output, args, language } = invocation;
    // In an empty folder the archive brings the configuration.
    const { configDir } = findPlace(ROOT, await readEnvironment('.', invocation.env));
    await mkdir(configDir, { recursive: true });
    const data = await openOwnData(invocation);
    const restored = await data.restore(resolve(args[0] ?? ''));
    for (const path of restored.kept) output.note(`${TEXTS.keptAs[language]} ${path}`);
    if (output.isJson) output.json(restored);
    else output.line(`${TEXTS.restored[language]} ${restored.rows} ${TEXTS.rows[language]}, ${restored.files} ${TEXTS.files[language]}.`);
    return EXIT.done;
  },
};

const migrateStore: Command = {
  usage: '',
  summary: {
    en: 'Move the rows of a stopped gateway into an empty store of the other kind',
    'zh-CN': '把已停止网关的数据移到另一种空的存储',
  },
  options: {
    from: {
      type: 'string',
      summary: { en: 'sqlite, sqlite:<path>, postgres or postgres://...', 'zh-CN': 'sqlite、sqlite:<路径>、postgres 或 postgres://...' },
    },
    to: { type: 'string', summary: { en: 'likewise', 'zh-CN': '同上' } },
  },
  async run(invocation) {
    const { output, options, language } = invocation;
    const { from, to } = options;
    if (!from || !to) throw new UsageError(`${TEXTS.missing[language]}: ${from ? '--to' : '--from'}`);
    const rows = await (await openOwnData(invocation)).move(String(from), String(to));
    const filled = Object.entries(rows).filter(([, count]) => count > 0);
    if (output.isJson) output.json({ rows });
    else {
      if (filled.length > 0) output.table(filled.map(([table, count]) => ({ table, rows: count })));
      output.line(TEXTS.moved[language]);
    }
    return EXIT.done;
  },
};

const exportAll: Command = {
  usage: '<file>',
  summary: {
    en: 'Write the rows of all tables as JSON lines into a .tar, .tar.gz or .tar.zst',
    'zh-CN': '把所有表的数据以 JSON 行写入 .tar、.tar.gz 或 .tar.zst',
  },
  options: { all: { type: 'boolean', summary: { en: 'needed: the data of all tenants', 'zh-CN': '必需：所有租户的数据' } } },
  async run(invocation) {
    const { output, args, options, language } = invocation;
    if (options['all'] !== true) throw new UsageError(`${TEXTS.missing[language]}: --all`);
    const file = resolve(args[0] ?? '');
    const { rows } = await (await openOwnData(invocation)).exportRows(file);
    if (output.isJson) output.json({ file, rows });
    else output.line(file);
    return EXIT.done;
  },
};

export const DATA_COMMANDS = { backup, restore, 'migrate-store': migrateStore, export: exportAll };
