/**
 * Commands inside bubblewrap: namespaces of their own for processes, network, users and mounts. They see the system read-only, the workspace
 * read-write at its own path, an empty /tmp, and no network.
 */
import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../local/shell';

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

// What git runs or obeys, seen from the workspace.
const PROTECTED = ['.git/hooks', '.git/config'];

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
  const sandbox = createBubblewrap(options);
  const probe = await sandbox.wrap('/bin/sh', ['-c', 'exit 0'], options.root);
  try {
    await promisify(execFile)(probe.command, probe.args, { timeout: PROBE_TIMEOUT_MS, env: { PATH: '/usr/bin:/bin' } });
    return sandbox;
  } catch {
    return undefined;
  }
}

function createBubblewrap(options: BubblewrapOptions): Sandbox {
  return {
    isolation: 'bubblewrap',
    async wrap(command, args, cwd) {
      const readOnly = await protectedPaths(options.root);
      return { command: 'bwrap', args: [...bubblewrapArguments(options, readOnly, cwd), '--', command, ...args] };
    },
  };
}

/** Later mounts lie over earlier ones, so the order matters. `readOnly` are real paths inside the workspace. */
export function bubblewrapArguments(options: BubblewrapOptions, readOnly: readonly string[], cwd: string): string[] {
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
    ...readOnly.flatMap(path => ['--ro-bind', path, path]),
    // These are memory too, of any size.
    ...hidden.filter(isVisible).flatMap(path => ['--remount-ro', path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', cwd],
  ];
}

/** Protected paths that exist. A symlink on the way is left out: binding it would bring in what it points at, from outside the sandbox. */
async function protectedPaths(root: string): Promise<string[]> {
  const isReal = async (path: string) => {
    const stats = await lstat(path).catch(() => undefined);
    return stats !== undefined && (stats.isDirectory() || stats.isFile());
  };
  if (!(await isReal(join(root, '.git')))) return [];
  const paths = PROTECTED.map(path => join(root, path));
  const real = await Promise.all(paths.map(isReal));
  return paths.filter((_, i) => real[i]);
}
