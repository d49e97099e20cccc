/**
 * Commands inside bubblewrap: namespaces of their own for processes, network, users and mounts. They see the system read-only, the workspace
 * read-write at its own path, an empty /tmp, and no network.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FIRST_DESCRIPTOR, type Sandbox } from '../local/shell';
import { type GuardedMount, guardGit } from './git_guard';

export interface BubblewrapOptions {
  /** Real path of the workspace. */
  root: string;
  /** Directories that commands must not see although they may lie below a system directory: the gateway itself, its settings, its data. */
  hidden?: readonly string[];
  /** Size of /tmp, which is memory; /dev/shm gets half of it. */
  scratchBytes?: number | undefined;
}

const SYSTEM_DIRECTORIES = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

// Of /etc only what programs need to run; the rest may hold passwords and keys.
const SYSTEM_FILES = [
  'alternatives',
  'ca-certificates',
  'group',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'passwd',
  'perl',
  'python3',
  'ssl/certs',
  'timezone',
].map(name => `/etc/${name}`);

// Where the gateway runs as root, so do its commands: without any capability, but the kernel lets root's user id write these.
const KERNEL_SETTINGS = ['/proc/sys', '/proc/sysrq-trigger'];

const PROBE_TIMEOUT_MS = 5_000;

/** The sandbox, if it works here: a command is really run in it once. Containers often forbid the namespaces it needs. Never rejects. */
export async function detectBubblewrap(options: BubblewrapOptions): Promise<Sandbox | undefined> {
  // Before 0.7 it knows no sizes.
  return (
    (await tryBubblewrap(options)) ??
    (options.scratchBytes === undefined ? undefined : tryBubblewrap({ ...options, scratchBytes: undefined }))
  );
}

async function tryBubblewrap(options: BubblewrapOptions): Promise<Sandbox | undefined> {
  const args = [...bubblewrapArguments(options, [], options.root), '--', '/bin/sh', '-c', 'exit 0'];
  try {
    await promisify(execFile)('bwrap', args, { timeout: PROBE_TIMEOUT_MS, env: { PATH: '/usr/bin:/bin' } });
    return createBubblewrap(options);
  } catch {
    return undefined;
  }
}

function createBubblewrap(options: BubblewrapOptions): Sandbox {
  return {
    isolation: 'bubblewrap',
    async wrap(command, args, cwd) {
      const { mounts, descriptors, release } = await guardGit(options.root);
      const checked = [...checkArguments(mounts), command, ...args];
      return { command: 'bwrap', args: [...bubblewrapArguments(options, mounts, cwd), '--', ...checked], descriptors, release };
    },
  };
}

/** Later mounts lie over earlier ones, so the order matters. `mounts` are real paths inside the workspace. */
export function bubblewrapArguments(options: BubblewrapOptions, mounts: readonly GuardedMount[], cwd: string): string[] {
  const { root, hidden = [], scratchBytes } = options;
  const memoryDirectory = (path: string, share: number) => [
    ...(scratchBytes === undefined ? [] : ['--size', String(Math.ceil(scratchBytes * share))]),
    ...['--tmpfs', path],
  ];
  const isVisible = (path: string) => SYSTEM_DIRECTORIES.some(directory => path.startsWith(`${directory}/`));
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'workspace'],
    ...[...SYSTEM_DIRECTORIES, ...SYSTEM_FILES].flatMap(path => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...KERNEL_SETTINGS.flatMap(path => ['--ro-bind-try', path, path]),
    ...memoryDirectory('/dev/shm', 0.5),
    ...memoryDirectory('/tmp', 1),
    ...hidden.filter(isVisible).flatMap(path => ['--tmpfs', path]),
    ...['--bind', root, root],
    ...mounts.flatMap(({ path, isWritable }) => [isWritable ? '--bind' : '--ro-bind', path, path]),
    // These are memory too, of any size.
    ...hidden.filter(isVisible).flatMap(path => ['--remount-ro', path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', cwd],
  ];
}

/**
 * What to run first in the sandbox, before the command. Mounts are found by name, and a command that runs at the same time may put a symlink in the
 * place of a name meanwhile; so what was mounted is compared with what was opened before, and the command does not begin when they differ.
 */
function checkArguments(mounts: readonly GuardedMount[]): string[] {
  if (mounts.length === 0) return [];
  const descriptors = mounts.map((_, i) => FIRST_DESCRIPTOR + i);
  const same = descriptors.map((fd, i) => `[ /proc/self/fd/${fd} -ef "$${i + 1}" ]`).join(' && ');
  const close = descriptors.map(fd => `${fd}<&-`).join(' ');
  const refuse = '{ echo ".git was replaced, or closed to the command, while it was started: it did not run" >&2; exit 126; }';
  return [
    '/bin/sh',
    '-c',
    `${same} || ${refuse}; exec ${close}; shift ${mounts.length}; exec "$@"`,
    'sh',
    ...mounts.map(({ path }) => path),
  ];
}
