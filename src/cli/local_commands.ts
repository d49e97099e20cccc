/** Commands for the gateway of this directory: init, start. */
import { join, resolve } from 'node:path';
import { type Command, EXIT, UsageError } from './command';
import { exists, findWritten, ROOT, writeDirectory } from './directory';
import { envFileOf } from './env_file';
import { openFolder } from './gateway_folder';
import { TEXTS } from './texts';

const init: Command = {
  usage: '[directory]',
  summary: { en: 'Write settings, configuration and an empty workspace into a directory', 'zh-CN': '在目录中写入设置、配置和空的工作区' },
  async run({ args, output, language }) {
    const directory = resolve(args[0] ?? '.');
    const [written] = await findWritten(directory);
    if (written !== undefined) throw new UsageError(`${written} ${TEXTS.initExists[language]}.`);
    await writeDirectory(directory);
    if (output.isJson) output.json({ directory });
    else output.line(`${TEXTS.initDone[language]} neta start ${directory}`);
    return EXIT.done;
  },
};

const start: Command = {
  usage: '[directory]',
  summary: { en: 'Start the gateway with the file .env of the directory', 'zh-CN': '用目录中的 .env 文件启动网关' },
  async run({ args }) {
    const file = envFileOf(resolve(args[0] ?? '.'));
    if (args[0] !== undefined && !(await exists(file))) throw new UsageError(`${file}: ENOENT`);
    await openFolder(args[0] ?? '.');
    await startGateway();
    // Never resolves: the process lives as long as the server, and signals end it.
    return new Promise(() => {});
  },
};

/** Starts the gateway in this process, with its environment. */
export async function startGateway(): Promise<void> {
  const gateway = require(join(ROOT, 'bootstrap.js')) as { start(): Promise<unknown> };
  await gateway.start();
}

export const LOCAL_COMMANDS = { init, start };
