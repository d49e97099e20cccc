/** Checks of the running gateway, each with one sentence that says what was found. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { EventLoopMonitor } from '../../../port/event_loop_monitor';
import type { HostFacts } from '../../../port/host_facts';
import type { Locale } from '../../../port/store/sessions';
import type { Store } from '../../../port/store/store';
import type { AuditLog } from '../../../service/audit/audit_log';
import type { Switches } from '../../../service/limits/switches';
import type { ModelSupervisor } from '../../../service/model/model_supervisor';
import { type DoctorChecks, type Finding, found } from '../../../service/status/doctor_checks';
import type { ReadinessService } from '../../../service/status/readiness_service';
import type { McpServerList } from '../../../service/tool/mcp_server_list';
import { formatBytes } from '../../../utils/format_bytes';
import type { Slot } from '../../../utils/slot';
import { toNotice } from '../shared/notices';

export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
}

export interface DoctorReport {
  ok: boolean;
  checks: DoctorCheck[];
}

export interface DoctorDeps {
  version: string;
  store: Store;
  clock: Clock;
  host: HostFacts;
  eventLoopMonitor: EventLoopMonitor;
  auditLog: AuditLog;
  switches: Switches;
  readiness: ReadinessService;
  modelSupervisor: ModelSupervisor;
  mcpServers: Slot<McpServerList>;
  /** Checks of the features. */
  checks: ReadonlyMap<string, DoctorChecks[string]>;
}

const LOW_DISK_SHARE = 0.1;
const LARGE_WAL_BYTES = 256 * 1024 * 1024;
const SLOW_LOOP_MS = 200;
const CLOCK_SKEW_MS = 60_000;

/** Lists the checks that need no list of models or servers, in the order of the report. */
const checksOf = (deps: DoctorDeps): DoctorChecks => ({
  node: async () =>
    found('ok', `Node ${deps.host.nodeVersion}, gateway ${deps.version}.`, `Node ${deps.host.nodeVersion}，网关 ${deps.version}。`),
  database: () => checkDatabase(deps),
  disk: () => checkDisk(deps),
  clock: () => checkClock(deps),
  sandbox: async () => {
    const { kind, problem = '' } = deps.readiness.describe().sandbox;
    return kind === 'none'
      ? found('warn', `Commands run without a sandbox. ${problem}`.trim(), `命令在没有沙箱的情况下运行。${problem}`)
      : found('ok', `Commands run in ${kind}.`, `命令在 ${kind} 中运行。`);
  },
  event_loop: async () => {
    const { delayP99Ms } = deps.eventLoopMonitor.read();
    const text = `${Math.round(delayP99Ms)} ms`;
    return found(delayP99Ms > SLOW_LOOP_MS ? 'warn' : 'ok', `Event loop delay, p99: ${text}.`, `事件循环延迟 p99：${text}。`);
  },
  audit: () => checkAudit(deps),
  ...Object.fromEntries(deps.checks),
  accepting: async () => {
    const paused = deps.switches.listEntries().filter(({ name }) => name === 'accepting');
    return paused.length > 0
      ? found('warn', 'New runs are paused.', '新的运行已暂停。')
      : found('ok', 'New runs are accepted.', '接受新的运行。');
  },
});

const STATES_ZH = { connected: '已连接。', connecting: '正在连接。', failed: '未连接。', disabled: '已停用。' } as const;

export class Doctor {
  private readonly reports = new Map<Locale, Promise<DoctorReport>>();

  constructor(private readonly deps: DoctorDeps) {}

  /** Checks the gateway. Callers who ask during a check share its report, because a check reads the whole database and calls every model server. */
  check(locale: Locale): Promise<DoctorReport> {
    const running = this.reports.get(locale) ?? makeReport(this.deps, locale).finally(() => this.reports.delete(locale));
    this.reports.set(locale, running);
    return running;
  }
}

/** Asks every model server. Never rejects: a check that cannot be made fails. */
async function makeReport(deps: DoctorDeps, locale: Locale): Promise<DoctorReport> {
  const checks: DoctorCheck[] = [];
  const add = (name: string, { status, message }: Finding) => checks.push({ name, status, message: message[locale] });
  for (const [name, check] of Object.entries(checksOf(deps))) add(name, await check().catch(failed));
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

const failed = (thrown: unknown): Finding => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const zh = thrown instanceof AppError ? thrown.messageZh : undefined;
  return found('fail', message, zh ?? '无法检查，详情见网关日志。');
};

async function checkDatabase({ host, store, clock }: DoctorDeps): Promise<Finding> {
  await store.check();
  const file = await host.readDatabase();
  if (!file) {
    const size = formatBytes((await store.lists.gauges.read(clock.now())).sizeBytes);
    return found('ok', `Postgres answers and can be written (${size}).`, `Postgres 可以连接，可写（${size}）。`);
  }
  const { fileBytes, walBytes } = file;
  const sizes = `${formatBytes(fileBytes)}, WAL ${formatBytes(walBytes)}`;
  const problem = await host.checkDatabase();
  if (problem !== undefined) return found('fail', `The database is damaged: ${problem}`, `数据库已损坏：${problem}`);
  if (walBytes > LARGE_WAL_BYTES) return found('warn', `The write-ahead log is large (${sizes}).`, `预写日志过大（${sizes}）。`);
  return found('ok', `It is sound and can be written (${sizes}).`, `完好且可写（${sizes}）。`);
}

async function checkDisk({ host }: DoctorDeps): Promise<Finding> {
  const { freeBytes, totalBytes } = await host.readDisk();
  const text = `${formatBytes(freeBytes)} / ${formatBytes(totalBytes)}`;
  return found(freeBytes < totalBytes * LOW_DISK_SHARE ? 'warn' : 'ok', `Free disk: ${text}.`, `磁盘剩余：${text}。`);
}

function differingClock(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return aheadMs > 0
    ? found('warn', `This clock is ${seconds} s behind that of the model server.`, `本机时钟比模型服务器慢 ${seconds} 秒。`)
    : found('warn', `This clock is ${seconds} s ahead of that of the model server.`, `本机时钟比模型服务器快 ${seconds} 秒。`);
}

/** Finds a clock that was set back: new runs are then older than stored ones. */
async function checkClock({ store, clock }: DoctorDeps): Promise<Finding> {
  const { data } = await store.lists.opsRuns.list({}, {}, { limit: 1 });
  const aheadMs = (data[0]?.createdAt ?? 0) - clock.now();
  return aheadMs > CLOCK_SKEW_MS
    ? found(
        'warn',
        `The newest run is ${Math.round(aheadMs / 1_000)} s in the future.`,
        `最新的运行在 ${Math.round(aheadMs / 1_000)} 秒之后的未来。`,
      )
    : found('ok', 'No run is in the future.', '没有来自未来的运行。');
}

async function checkAudit({ auditLog }: DoctorDeps): Promise<Finding> {
  const result = await auditLog.verify();
  if (result.ok) {
    const { rows, unsealed, head = '-' } = result;
    const [waiting, waitingZh] =
      unsealed > 0 ? [` ${unsealed} newer rows are not sealed yet.`, `另有 ${unsealed} 行较新的记录尚未封存。`] : ['', ''];
    return found('ok', `${rows} rows, newest hash ${head}.${waiting}`, `${rows} 行，最新哈希 ${head}。${waitingZh}`);
  }
  const place = result.id ?? '-';
  return found('fail', `The audit log is broken (${result.fault}) at ${place}.`, `审计日志在 ${place} 处损坏（${result.fault}）。`);
}
