/** Writes what the directory of a gateway needs: settings, configuration and an empty workspace. */
import { cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILES } from './config_files';
import { envFileOf, variableLine } from './env_file';

/** Directory of package.json. */
export const ROOT = join(__dirname, '../../..');

const envFile = (directory: string): string => `# Settings of this gateway. docs/guides/operate.md lists all of them.
${variableLine('NETA_DATA_DIR', join(directory, 'data'))}
${variableLine('NETA_WORKSPACE', join(directory, 'workspace'))}
${variableLine('NETA_CONFIG_DIR', join(directory, 'config'))}
# PORT=7001

# A real model: any server that speaks the OpenAI API. Without these lines a script answers.
# OPENAI_API_KEY=
# OPENAI_BASE_URL=
# NETA_MODEL=
`;

/** Returns the paths that `writeDirectory` makes and that are there already. */
export async function findWritten(directory: string): Promise<string[]> {
  const found = await Promise.all(
    [envFileOf(directory), join(directory, 'config')].map(async path => ((await exists(path)) ? [path] : [])),
  );
  return found.flat();
}

/** Makes what is missing; what is there stays as it is. */
export async function writeDirectory(directory: string): Promise<void> {
  const config = join(directory, 'config');
  await mkdir(join(directory, 'workspace'), { recursive: true });
  await copyConfiguration(config);
  const file = envFileOf(directory);
  if (!(await exists(file))) await writeFile(file, envFile(directory), { mode: 0o600, flag: 'wx' });
}

/** Copies the configuration of a new gateway, all or nothing. Keeps what is there. */
export async function copyConfiguration(place: string): Promise<void> {
  if (await exists(place)) return;
  const unfinished = `${place}.${process.pid}`;
  try {
    for (const path of CONFIG_FILES) await cp(join(ROOT, 'config', path), join(unfinished, path));
    await rename(unfinished, place);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Resolves true when there is a file or directory. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
