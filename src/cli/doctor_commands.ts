/** Commands that look after a gateway: doctor and bundle. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { NetaError } from '../../clients/typescript/src/http';
import { type Command, EXIT, type Invocation } from './command';
import { openData } from './data_commands';
import { ROOT } from './directory';
import { addressOf, findPlace, type LocalPlace, readEnvironment } from './gateway_place';
import { type Check, checkPlace, checkSettings, mendPlace } from './local_checks';
import { readLogTail } from './log_tail';
import { type Language, TEXTS } from './texts';

const MARKS = { ok: '✓', warn: '!', fail: '✗' };

const doctor: Command = {
  usage: '[directory]',
  summary: {
    en: 'Check the gateway: over REST while it runs, else model, sandbox, store and disk on this machine',
    'zh-CN': '检查网关：运行时通过 REST，否则检查本机上的模型、沙箱、存储和磁盘',
  },
  options: {
    fix: {
      type: 'boolean',
      summary: { en: 'make missing directories; empty the log of a stopped database', 'zh-CN': '建立缺失的目录；清空已停止的数据库的日志' },
    },
  },
  async run(invocation) {
    const { output, language, args, options } = invocation;
    const env = await readEnvironment(args[0] ?? '.', invocation.env);
    const place = findPlace(ROOT, env);
    const remote = await checkGateway(invocation, place);
    const isRunning = remote.some(({ name, status }) => name === 'address' && status === 'ok');
    const fixed = options['fix'] === true ? await mendPlace(place, language, isRunning) : [];
    const settings = checkSettings(ROOT, env, language);
    // A running gateway has checked these itself.
    const needed = isRunning || settings.status === 'fail' ? [] : await checkStart(env, language);
    const checks = [...remote, settings, ...needed, ...(await localChecks(place, invocation, isRunning))];
    const ok = checks.every(({ status }) => status !== 'fail');
    if (output.isJson) output.json({ ok, checks, fixed: options['fix'] === true ? fixed : undefined });
    else {
      for (const done of fixed) output.line(`+ ${done}`);
      for (const { name, status, message } of checks) output.line(`${MARKS[status]} ${name}: ${message}`);
    }
    return ok ? EXIT.done : EXIT.failed;
  },
};

/** Checks the files, the models, the sandbox and the database server as a start would need them, and the rows of the store. */
async function checkStart(env: NodeJS.ProcessEnv, language: Language): Promise<Check[]> {
  const { checkStart: check } = require(join(__dirname, '../start_check.js')) as typeof import('../start_check');
  // Connections to model servers do not keep a process alive.
  const alive = setInterval(() => {}, 1_000);
  const checks = await check(env, ROOT).finally(() => clearInterval(alive));
  const stored = await openData(env).check();
  return [...checks, ...stored].map(({ name, status, message }) => ({ name, status, message: message[language] }));
}

/** Leaves out problems of directories of this machine when a gateway answers, because that gateway may run on another machine. */
async function localChecks(place: LocalPlace, { language }: Invocation, isRunning: boolean): Promise<Check[]> {
  const checks = await checkPlace(place, language);
  return isRunning ? checks.filter(({ status }) => status === 'ok') : checks;
}

/** The first failure ends the list, because later checks need the earlier ones. */
async function checkGateway({ clientAt, url, options, env }: Invocation, place: LocalPlace): Promise<Check[]> {
  const address = options['url'] || env['NETA_URL'] ? url : addressOf(place);
  const client = clientAt(address);
  const checks: Check[] = [{ name: 'node', status: 'ok', message: process.version }];
  const steps: [name: string, ask: () => Promise<Omit<Check, 'name'>>][] = [
    ['address', async () => ok(await client.request('get', '/healthz'), address)],
    ['key', async () => describeInfo(await client.request('get', '/api/v1/info'))],
    ['ready', async () => describeReady(await client.request('get', '/readyz'))],
  ];
  for (const [name, ask] of steps) {
    try {
      checks.push({ name, ...(await ask()) });
    } catch (thrown) {
      if (!(thrown instanceof NetaError)) throw thrown;
      checks.push({ name, status: 'fail', message: thrown.message });
      return checks;
    }
  }
  try {
    const report = await client.request('get', '/api/v1/ops/doctor');
    return [...checks, ...report.checks.filter(({ name }) => name !== 'node')];
  } catch (thrown) {
    if (!(thrown instanceof NetaError)) throw thrown;
    return [...checks, { name: 'ops', status: 'warn', message: thrown.message }];
  }
}

const ok = (_answer: unknown, message: string): Omit<Check, 'name'> => ({ status: 'ok', message });

const describeInfo = ({ version, model, isolation }: { version: string; model: { model: string; demo?: boolean }; isolation: string }) =>
  ok(undefined, `version ${version}, model ${model.model}, sandbox ${isolation}`);

function describeReady({ warnings, eventLoop }: { warnings: readonly string[]; eventLoop: { delayP99Ms: number } }): Omit<Check, 'name'> {
  if (warnings.length > 0) return { status: 'warn', message: warnings.join(' ') };
  return { status: 'ok', message: `event loop delay p99 ${Math.round(eventLoop.delayP99Ms)} ms` };
}

/** Views that hold no text of people or models. */
const VIEWS = ['overview', 'runs', 'people', 'tools', 'models', 'limits', 'connections', 'config', 'doctor'] as const;

const bundle: Command = {
  usage: '[file]',
  summary: {
    en: 'Write what a report of a fault needs into a .tar.gz: no texts of people, no secrets',
    'zh-CN': '把故障报告所需的内容写入 .tar.gz：不含用户文本和机密',
  },
  async run(invocation) {
    const { client, output, language, args, url } = invocation;
    const env = await readEnvironment('.', invocation.env);
    const file = resolve(args[0] ?? `neta-bundle-${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}.tar.gz`);
    const files: { name: string; data: string }[] = [];
    const add = (name: string, value: unknown) => files.push({ name, data: `${JSON.stringify(value, undefined, 2)}\n` });
    add('versions.json', { node: process.version, platform: process.platform, arch: process.arch, ...(await ownVersion()) });
    add('local.json', await checkPlace(findPlace(ROOT, env), language));
    for (const path of ['/readyz', ...VIEWS.map(view => `/api/v1/ops/${view}` as const)] as const) {
      const name = `${path.split('/').at(-1)}.json`;
      add(name, await client.request('get', path).catch((thrown: unknown) => ({ error: String(thrown) })));
    }
    files.push({ name: 'metrics.txt', data: await readMetrics(invocation) });
    const log = await readLog({ client, url, env });
    if (log !== '') files.push({ name: 'log.jsonl', data: log });
    // Loads with the first bundle.
    const { createTarGzip } = await import('nanotar');
    await writeFile(file, await createTarGzip(files), { mode: 0o600, flag: 'wx' });
    if (output.isJson) output.json({ file, files: files.map(({ name }) => name) });
    else output.line(`${TEXTS.written[language]} ${file}`);
    return EXIT.done;
  },
};

/** Reads the metrics. Resolves with the error in their place when the gateway gives none. */
async function readMetrics({ url, options, env }: Invocation): Promise<string> {
  const key = options['key'] ?? env['NETA_API_KEY'];
  try {
    const headers = new Headers(key ? { authorization: `Bearer ${key}` } : {});
    const answer = await fetch(`${url.replace(/\/+$/, '')}/metrics`, { headers, signal: AbortSignal.timeout(METRICS_MS) });
    return answer.ok ? await answer.text() : `# HTTP ${answer.status}\n`;
  } catch (thrown) {
    return `# ${String(thrown)}\n`;
  }
}

/** Milliseconds to wait for the metrics. */
const METRICS_MS = 10_000;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Reads the end of the log file, when the gateway runs on this machine and writes one. */
async function readLog({ client, url, env }: Pick<Invocation, 'client' | 'url' | 'env'>): Promise<string> {
  if (!URL.canParse(url) || !LOOPBACK.has(new URL(url).hostname)) return '';
  const { settings } = await client.request('get', '/api/v1/ops/config').catch(() => ({ settings: [] }));
  const settingOf = (name: string) => settings.find(setting => setting.name === name)?.value ?? env[name];
  const file = settingOf('NETA_LOG_FILE');
  if (!file) return '';
  const { dataDir } = findPlace(ROOT, { ...env, NETA_DATA_DIR: settingOf('NETA_DATA_DIR') });
  return readLogTail(resolve(dataDir, file));
}

async function ownVersion(): Promise<{ gateway: string }> {
  const { version }: { version: string } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return { gateway: version };
}

export const DOCTOR_COMMANDS = { doctor, bundle };
