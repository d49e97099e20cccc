/** Checks of the running gateway, each with one sentence that says what was found. */
import { AppError } from '../../errors';
import type { Locale } from '../../port/store/sessions';
import type { Bilingual } from '../../utils/bilingual';
import { formatBytes } from '../../utils/format_bytes';
import { toNotice } from './notices';
import type { OpsDeps } from './ops_deps';

export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
}

export interface DoctorReport {
  ok: boolean;
  checks: DoctorCheck[];
}

type Found = Pick<DoctorCheck, 'status'> & { message: Bilingual };
type Check = (deps: OpsDeps) => Promise<Found>;

const LOW_DISK_SHARE = 0.1;
const LARGE_WAL_BYTES = 256 * 1024 * 1024;
const SLOW_LOOP_MS = 200;
const CLOCK_SKEW_MS = 60_000;

const found = (status: DoctorCheck['status'], en: string, zhCN: string): Found => ({ status, message: { en, 'zh-CN': zhCN } });

const CHECKS: Readonly<Record<string, Check>> = {
  node: async ({ host, version }) =>
    found('ok', `Node ${host.nodeVersion}, gateway ${version}.`, `Node ${host.nodeVersion}，网关 ${version}。`),
  database: checkDatabase,
  disk: checkDisk,
  clock: checkClock,
  sandbox: async ({ readiness }) => {
    const { kind } = readiness.describe().sandbox;
    return kind === 'none'
      ? found('warn', 'Commands run without a sandbox.', '命令在没有沙箱的情况下运行。')
      : found('ok', `Commands run in ${kind}.`, `命令在 ${kind} 中运行。`);
  },
  event_loop: async ({ eventLoopMonitor }) => {
    const { delayP99Ms } = eventLoopMonitor.read();
    const text = `${Math.round(delayP99Ms)} ms`;
    return found(delayP99Ms > SLOW_LOOP_MS ? 'warn' : 'ok', `Event loop delay, p99: ${text}.`, `事件循环延迟 p99：${text}。`);
  },
  audit: checkAudit,
  webhooks: async ({ store }) => {
    const hooks = await store.read.webhooks.all();
    const failing = hooks.filter(({ disabledReason }) => disabledReason !== undefined).length;
    return failing > 0
      ? found(
          'warn',
          `${failing} of ${hooks.length} webhooks are disabled after failures.`,
          `${hooks.length} 个 webhook 中有 ${failing} 个因失败而停用。`,
        )
      : found('ok', `${hooks.length} webhooks.`, `${hooks.length} 个 webhook。`);
  },
  accepting: async ({ switches }) => {
    const paused = switches.listEntries().filter(({ name }) => name === 'accepting');
    return paused.length > 0
      ? found('warn', 'New runs are paused.', '新的运行已暂停。')
      : found('ok', 'New runs are accepted.', '接受新的运行。');
  },
  backup: async ({ host }) =>
    (await host.readDatabase())
      ? found(
          'ok',
          'Back up with sqlite3 .backup; see docs/guides/operate.md.',
          '请用 sqlite3 .backup 备份；见 docs/guides/operate.zh-CN.md。',
        )
      : found('ok', 'Back up with pg_dump; see docs/guides/postgres.md.', '请用 pg_dump 备份；见 docs/guides/postgres.zh-CN.md。'),
};

const STATES_ZH = { connected: '已连接。', connecting: '正在连接。', failed: '未连接。', disabled: '已停用。' } as const;

/** Asks every model server. Never rejects: a check that cannot be made fails. */
export async function runDoctor(deps: OpsDeps, locale: Locale): Promise<DoctorReport> {
  const checks: DoctorCheck[] = [];
  const add = (name: string, { status, message }: Found) => checks.push({ name, status, message: message[locale] });
  for (const [name, check] of Object.entries(CHECKS)) add(name, await check(deps).catch(failed));
  for (const { model } of deps.modelSupervisor.listModels()) {
    let aheadMs = 0;
    const noteTime = (at: number) => {
      aheadMs = at - deps.clock.now();
    };
    const problem = model.keyProblem ?? (await model.client.probe(noteTime).catch(String));
    const { id } = model.definition;
    if (Math.abs(aheadMs) > CLOCK_SKEW_MS) add(`clock:${id}`, differingClock(aheadMs));
    add(
      `model:${id}`,
      problem === undefined
        ? found('ok', 'It answers and takes the key.', '可以连接，密钥有效。')
        : found('fail', problem, toNotice(`models.yaml: ${id}: ${problem}`).messageZh),
    );
  }
  for (const { name, state, error, problems } of deps.mcpServers.current.listServers()) {
    const problem = problems[0] ?? (state === 'failed' ? (error ?? state) : undefined);
    add(
      `mcp:${name}`,
      problem === undefined ? found('ok', state, STATES_ZH[state]) : found('warn', problem, `MCP 服务器 ${name} 未连接或配置有错误。`),
    );
  }
  const warnings = deps.readiness.listWarnings();
  add(
    'config',
    warnings.length === 0
      ? found('ok', 'No mistakes in the files.', '配置文件没有错误。')
      : found('warn', warnings.join(' '), warnings.map(text => toNotice(text).messageZh).join('')),
  );
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}

const failed = (thrown: unknown): Found => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const zh = thrown instanceof AppError ? thrown.messageZh : undefined;
  return found('fail', message, zh ?? '无法检查，详情见网关日志。');
};

async function checkDatabase({ host, store, clock }: OpsDeps): Promise<Found> {
  await store.check();
  const file = await host.readDatabase();
  if (!file) {
    const size = formatBytes((await store.read.gauges.read(clock.now())).sizeBytes);
    return found('ok', `Postgres answers and can be written (${size}).`, `Postgres 可以连接，可写（${size}）。`);
  }
  const { fileBytes, walBytes } = file;
  const sizes = `${formatBytes(fileBytes)}, WAL ${formatBytes(walBytes)}`;
  const problem = await host.checkDatabase();
  if (problem !== undefined) return found('fail', `The database is damaged: ${problem}`, `数据库已损坏：${problem}`);
  if (walBytes > LARGE_WAL_BYTES) return found('warn', `The write-ahead log is large (${sizes}).`, `预写日志过大（${sizes}）。`);
  return found('ok', `It is sound and can be written (${sizes}).`, `完好且可写（${sizes}）。`);
}

async function checkDisk({ host }: OpsDeps): Promise<Found> {
  const { freeBytes, totalBytes } = await host.readDisk();
  const text = `${formatBytes(freeBytes)} / ${formatBytes(totalBytes)}`;
  return found(freeBytes < totalBytes * LOW_DISK_SHARE ? 'warn' : 'ok', `Free disk: ${text}.`, `磁盘剩余：${text}。`);
}

function differingClock(aheadMs: number): Found {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return aheadMs > 0
    ? found('warn', `This clock is ${seconds} s behind that of the model server.`, `本机时钟比模型服务器慢 ${seconds} 秒。`)
    : found('warn', `This clock is ${seconds} s ahead of that of the model server.`, `本机时钟比模型服务器快 ${seconds} 秒。`);
}

/** Finds a clock that was set back: new runs are then older than stored ones. */
async function checkClock({ store, clock }: OpsDeps): Promise<Found> {
  const { data } = await store.read.opsRuns.list({}, {}, { limit: 1 });
  const aheadMs = (data[0]?.createdAt ?? 0) - clock.now();
  return aheadMs > CLOCK_SKEW_MS
    ? found(
        'warn',
        `The newest run is ${Math.round(aheadMs / 1_000)} s in the future.`,
        `最新的运行在 ${Math.round(aheadMs / 1_000)} 秒之后的未来。`,
      )
    : found('ok', 'No run is in the future.', '没有来自未来的运行。');
}

async function checkAudit({ auditLog }: OpsDeps): Promise<Found> {
  const result = await auditLog.verify();
  if (result.ok)
    return found('ok', `${result.rows} rows, newest hash ${result.head ?? '-'}.`, `${result.rows} 行，最新哈希 ${result.head ?? '-'}。`);
  const place = result.id ?? '-';
  return found('fail', `The audit log is broken (${result.fault}) at ${place}.`, `审计日志在 ${place} 处损坏（${result.fault}）。`);
}
