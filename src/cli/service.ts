/** Installs, shows and removes the service of systemd that runs the gateway of a directory. */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Invocation, UsageError } from './command';
import { ROOT } from './directory';
import { envFileOf } from './env_file';
import { findPlace, readEnvironment } from './gateway_place';
import { SERVICE_TEXTS as TEXTS } from './onboard_texts';
import { directoryOf, type ServiceScope, unitText, writableIn } from './systemd_unit';

const UNIT = 'neta-gateway.service';
/** Exists while systemd is the first process, see sd_booted(3). */
const SYSTEMD = '/run/systemd/system';

/** The unit after an installation. `isRunning`: false where systemd does not run. */
export interface InstalledService {
  scope: ServiceScope;
  file: string;
  text: string;
  isRunning: boolean;
}

type ServiceInvocation = Pick<Invocation, 'env' | 'language'>;

/** Returns the path of the unit. */
const unitFileOf = (scope: ServiceScope, env: NodeJS.ProcessEnv): string =>
  scope === 'system'
    ? join('/etc/systemd/system', UNIT)
    : join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'systemd/user', UNIT);

/**
 * Writes the unit of the directory; where systemd runs, starts it now and at each boot. Rejects with UsageError when the directory has no settings,
 * when the unit is that of another directory, and when a service of the system is wanted without root.
 */
export async function installService(
  directory: string,
  scope: ServiceScope,
  { env, language }: ServiceInvocation,
): Promise<InstalledService> {
  if (!existsSync(envFileOf(directory))) throw new UsageError(`${directory} ${TEXTS.noDirectory[language]}`);
  if (scope === 'system' && process.geteuid?.() !== 0) throw new UsageError(TEXTS.notRoot[language]);
  const file = unitFileOf(scope, env);
  const known = await readUnit(file);
  if (known !== undefined && directoryOf(known) !== directory) throw new UsageError(`${file} ${TEXTS.otherDirectory[language]}`);
  const text = await unitOf(directory, scope);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  if (!isSystemdRunning()) return { scope, file, text, isRunning: false };
  systemctl(scope, 'daemon-reload');
  systemctl(scope, 'enable', UNIT);
  // Starts it, too. A service that runs takes the changed unit.
  systemctl(scope, 'restart', UNIT);
  return { scope, file, text, isRunning: true };
}

/** Returns the text of the unit that `installService` writes. */
async function unitOf(directory: string, scope: ServiceScope): Promise<string> {
  const { dataDir, workspace } = findPlace(ROOT, await readEnvironment(directory, {}));
  const program = realpathSync(process.argv[1] ?? '');
  const command = [process.execPath, program, 'start', directory];
  const user = scope === 'system' ? await ownerOf(directory) : undefined;
  return unitText({ scope, directory, writable: [dataDir, workspace], command, user });
}

/** Ends the service and removes its unit. Resolves false when there is none. */
export async function removeService(scope: ServiceScope, env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = unitFileOf(scope, env);
  if ((await readUnit(file)) === undefined) return false;
  if (isSystemdRunning()) systemctl(scope, 'disable', '--now', UNIT);
  await rm(file);
  if (isSystemdRunning()) systemctl(scope, 'daemon-reload');
  return true;
}

/** Resolves with the unit and its state; undefined when there is no unit. */
export async function readService(
  scope: ServiceScope,
  env: NodeJS.ProcessEnv,
): Promise<{ file: string; directory?: string; state: string } | undefined> {
  const file = unitFileOf(scope, env);
  const text = await readUnit(file);
  if (text === undefined) return undefined;
  const state = isSystemdRunning()
    ? spawnSync('systemctl', [...scopeArguments(scope), 'is-active', UNIT])
        .stdout.toString()
        .trim()
    : 'no systemd';
  return { file, directory: directoryOf(text), state };
}

/** Resolves with the unit of the directory when it forbids the service to write `path`. */
export async function findUnitAgainst(path: string, directory: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const scope of ['user', 'system'] as const) {
    const file = unitFileOf(scope, env);
    const unit = await readUnit(file);
    if (unit === undefined || directoryOf(unit) !== directory) continue;
    const names = (await readdir(`${file}.d`).catch(() => [])).filter(name => name.endsWith('.conf'));
    const dropIns = await Promise.all(names.map(name => readUnit(join(`${file}.d`, name))));
    const writable = writableIn([unit, ...dropIns].join('\n'));
    if (!writable.some(open => `${path}/`.startsWith(`${open.replace(/\/$/, '')}/`))) return file;
  }
  return undefined;
}

/** Returns true where systemd is the first process. */
const isSystemdRunning = (): boolean => existsSync(SYSTEMD);

const readUnit = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

const scopeArguments = (scope: ServiceScope): string[] => (scope === 'user' ? ['--user'] : []);

/** Throws with the words of systemctl. */
function systemctl(scope: ServiceScope, ...args: string[]): void {
  const { status, stderr, error } = spawnSync('systemctl', [...scopeArguments(scope), ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`systemctl ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
}

/** Resolves with the name of the user who owns the directory; with the number when it has no name. */
async function ownerOf(directory: string): Promise<string> {
  const { uid } = await stat(directory);
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const row = users.split('\n').find(line => line.split(':')[2] === String(uid));
  return row?.split(':')[0] ?? String(uid);
}
