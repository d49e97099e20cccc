/**
 * Runs the command of the image as a container would: user 65534 without capabilities, with processes of its own, on a root that is read-only. The
 * base of the image is this machine's /usr; bubblewrap stands for Docker.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { imageCommand, imageEnvironment } from './dockerfile';

const ROOT = join(__dirname, '../..');
const PROFILE = join(ROOT, 'deploy/seccomp/neta-gateway.json');
/** Compiles the profile with Debian's python3-seccomp: compile_seccomp.py PROFILE FILE. */
const COMPILER = ['/usr/bin/python3', join(__dirname, 'compile_seccomp.py')] as const;
const USER = 65_534;
/** Mounts a /proc of the container. Docker covers places of it unless systempaths=unconfined. */
const PROC = 'mount -t proc -o nosuid,nodev,noexec proc /proc';
const COVER = 'mount --bind -o ro /proc/sys /proc/sys';

const isThere = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** Why containers cannot be run here; undefined where they can. */
export const noContainer =
  process.geteuid?.() === 0 && isThere('bwrap', '--version') && isThere('setpriv', '--version')
    ? undefined
    : 'needs root, bwrap and setpriv';

/** True where the seccomp profile can be compiled. */
export const hasSeccomp = isThere(COMPILER[0], '-c', 'import seccomp');

export interface ContainerOptions {
  /** Directory with the files that the image adds to its base. */
  files: string;
  /** Directory of secrets, at /run/secrets. */
  secrets: string;
  env: Record<string, string>;
  /** The container runs below deploy/seccomp/neta-gateway.json, when it can be compiled. */
  seccompFile?: string;
  /** /proc is covered, as Docker does without systempaths=unconfined. */
  isProcCovered?: boolean;
}

/** Starts the container. */
export function startContainer({ files, secrets, env, seccompFile, isProcCovered = false }: ContainerOptions): ChildProcess {
  const seccomp = seccompFile === undefined || !hasSeccomp ? undefined : openProfile(seccompFile);
  const links = ['bin', 'lib', 'lib64', 'sbin'].flatMap(name => ['--symlink', `usr/${name}`, `/${name}`]);
  const directories = ['/run', '/opt', '/proc'].flatMap(path => ['--perms', '0755', '--dir', path]);
  const binds = [
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc', '--ro-bind', join(files, 'usr/local'), '/usr/local'],
    ...['--ro-bind', dirname(process.execPath), '/opt/node', '--ro-bind', secrets, '/run/secrets', '--bind', join(files, 'data'), '/data'],
  ];
  const args = [
    ...['--tmpfs', '/', ...links, ...directories, ...binds, '--tmpfs', '/tmp', '--dev', '/dev', '--remount-ro', '/', '--chdir', '/data'],
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', ...(seccomp === undefined ? [] : ['--seccomp', '3'])],
    ...['--', 'sh', '-c', `${PROC}; ${isProcCovered ? COVER : ':'}; exec "$@"`, 'sh'],
    ...['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'],
    ...[
      'env',
      '-i',
      ...Object.entries({ PATH: '/usr/local/bin:/opt/node:/usr/bin', ...imageEnvironment(), ...env }).map(row => row.join('=')),
    ],
    ...imageCommand(),
  ];
  const child = spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe', seccomp ?? 'ignore'] });
  if (seccomp !== undefined) closeSync(seccomp);
  return child;
}

/** Resolves with what the container wrote, once it says that it is ready and which sandbox it has. */
export async function readStart(child: ChildProcess): Promise<string> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', piece => (text += piece));
  while (!/is ready on[\s\S]*limits of a command|limits of a command[\s\S]*is ready on/.test(text)) {
    if (child.exitCode !== null) throw new Error(text);
    await Promise.race([
      once(child.stdout as NodeJS.EventEmitter, 'data'),
      once(child.stderr as NodeJS.EventEmitter, 'data'),
      once(child, 'close'),
    ]);
  }
  return text;
}

function openProfile(file: string): number {
  const { status, stderr } = spawnSync(COMPILER[0], [COMPILER[1], PROFILE, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return openSync(file, 'r');
}
