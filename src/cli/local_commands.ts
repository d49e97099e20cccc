/** Commands for the gateway of this directory: init, start, doctor. */
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { NetaError } from '../../clients/typescript/src/http';
import { type Command, EXIT, type Invocation, UsageError } from './command';
import { TEXTS } from './texts';

/** Directory of package.json. */
const ROOT = join(__dirname, '../../..');
const ENV_FILE = '.env';

const envFile = (directory: string): string => `# Settings of this gateway. docs/guides/operate.md lists all of them.
NETA_DATA_DIR=${join(directory, 'data')}
NETA_WORKSPACE=${join(directory, 'workspace')}
NETA_CONFIG_DIR=${join(directory, 'config')}
# PORT=7001

# A real model: any server that speaks the OpenAI API. Without these lines a script answers.
# OPENAI_API_KEY=
# OPENAI_BASE_URL=
# NETA_MODEL=
`;

const init: Command = {
  usage: '[directory]',
  summary: { en: 'Write settings, configuration and an empty workspace into a directory', 'zh-CN': '在目录中写入设置、配置和空的工作区' },
  async run({ args, output, language }) {
    const directory = resolve(args[0] ?? '.');
    const file = join(directory, ENV_FILE);
    for (const path of [file, join(directory, 'config')]) {
      if (await exists(path)) throw new UsageError(`${path} ${TEXTS.initExists[language]}.`);
    }
    await mkdir(join(directory, 'workspace'), { recursive: true });
    // TypeScript files there belong to the gateway itself.
    await cp(join(ROOT, 'config'), join(directory, 'config'), {
      recursive: true,
      filter: path => !path.endsWith('.ts') && relative(ROOT, path) !== join('config', 'settings'),
    });
    await writeFile(file, envFile(directory), { mode: 0o600, flag: 'wx' });
    if (output.isJson) output.json({ directory });
    else output.line(`${TEXTS.initDone[language]} neta start ${directory}`);
    return EXIT.done;
  },
};

const start: Command = {
  usage: '[directory]',
  summary: { en: 'Start the gateway with the file .env of the directory', 'zh-CN': '用目录中的 .env 文件启动网关' },
  async run({ args }) {
    const file = join(resolve(args[0] ?? '.'), ENV_FILE);
    if (await exists(file)) process.loadEnvFile(file);
    else if (args[0] !== undefined) throw new UsageError(`${file}: ENOENT`);
    const { start: startGateway } = require(join(ROOT, 'bootstrap.js')) as { start(): Promise<string> };
    await startGateway();
    // The process lives as long as the server; signals end it.
    return new Promise(() => {});
  },
};

interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
}

const doctor: Command = {
  usage: '',
  summary: { en: 'Check the connection, the key and the state of the gateway', 'zh-CN': '检查连接、密钥和网关状态' },
  async run(invocation) {
    const { output } = invocation;
    const checks = await checkGateway(invocation);
    const ok = checks.every(({ status }) => status !== 'fail');
    if (output.isJson) output.json({ ok, checks });
    else for (const { name, status, message } of checks) output.line(`${MARKS[status]} ${name}: ${message}`);
    return ok ? EXIT.done : EXIT.failed;
  },
};

const MARKS = { ok: '✓', warn: '!', fail: '✗' };

/** Later checks need the earlier ones, so the first failure ends the list. */
async function checkGateway({ client, url }: Invocation): Promise<Check[]> {
  const checks: Check[] = [{ name: 'node', status: 'ok', message: process.version }];
  const steps: [name: string, ask: () => Promise<Omit<Check, 'name'>>][] = [
    ['address', async () => ok(await client.request('get', '/healthz'), url)],
    ['key', async () => describeInfo(await client.request('get', '/api/v1/info'))],
    ['ready', async () => describeReady(await client.request('get', '/readyz'))],
  ];
  for (const [name, ask] of steps) {
    try {
      checks.push({ name, ...(await ask()) });
    } catch (thrown) {
      if (!(thrown instanceof NetaError)) throw thrown;
      checks.push({ name, status: 'fail', message: thrown.message });
      break;
    }
  }
  return checks;
}

const ok = (_answer: unknown, message: string): Omit<Check, 'name'> => ({ status: 'ok', message });

const describeInfo = ({ version, model, isolation }: { version: string; model: { model: string; demo?: boolean }; isolation: string }) =>
  ok(undefined, `version ${version}, model ${model.model}, sandbox ${isolation}`);

function describeReady({ warnings, eventLoop }: { warnings: readonly string[]; eventLoop: { delayP99Ms: number } }): Omit<Check, 'name'> {
  if (warnings.length > 0) return { status: 'warn', message: warnings.join(' ') };
  return { status: 'ok', message: `event loop delay p99 ${Math.round(eventLoop.delayP99Ms)} ms` };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

export const LOCAL_COMMANDS = { init, start, doctor };
