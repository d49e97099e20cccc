/** Commands for the gateway of this directory: init, start. */
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Command, EXIT, UsageError } from './command';
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
    // Never resolves: the process lives as long as the server, and signals end it.
    return new Promise(() => {});
  },
};

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

export const LOCAL_COMMANDS = { init, start };
