/**
 * Runs commands in bubblewrap, in their own PID, network, user and mount namespaces. Commands see the system read-only, the workspace read-write
 * at its own path, an empty /tmp, and no network unless the launch asks for it.
 */
import type { SandboxExtras } from '../local/shell/shell';
import { checkScript, type GuardedMount } from './git_guard';
import {
  KERNEL_SETTINGS,
  type Launcher,
  NETWORK_FILES,
  pathsToCover,
  type SandboxOptions,
  SYSTEM_DIRECTORIES,
  SYSTEM_FILES,
} from './launcher';

export function createBubblewrap(options: SandboxOptions): Launcher {
  return {
    isolation: 'bubblewrap',
    async launch({ program, cwd, mounts, ...extras }) {
      const check = checkScript(mounts);
      const covered = await pathsToCover(options.hidden);
      const checked = check ? ['/bin/sh', '-c', `${check} exec "$@"`, 'sh', ...mounts.map(({ path }) => path), ...program] : program;
      return { command: 'bwrap', args: [...bubblewrapArguments({ ...options, ...extras, covered }, mounts, cwd), '--', ...checked] };
    },
  };
}

/** Later mounts cover earlier ones, so the order matters. `covered`: directories to hide; `mounts`: real paths inside the workspace. */
export function bubblewrapArguments(
  options: SandboxOptions & SandboxExtras & { covered: readonly string[] },
  mounts: readonly GuardedMount[],
  cwd: string,
): string[] {
  const { root, covered, scratchBytes, readable = [], writable = [], network } = options;
  const memoryDirectory = (path: string, share: number) => [
    ...(scratchBytes === undefined ? [] : ['--size', String(Math.ceil(scratchBytes * share))]),
    ...['--tmpfs', path],
  ];
  return [
    ...[
      '--unshare-all',
      ...(network ? ['--share-net'] : []),
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
      '--hostname',
      'workspace',
    ],
    ...[...SYSTEM_DIRECTORIES, ...SYSTEM_FILES, ...(network ? NETWORK_FILES : [])].flatMap(path => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...KERNEL_SETTINGS.flatMap(path => ['--ro-bind-try', path, path]),
    ...memoryDirectory('/dev/shm', 0.5),
    ...memoryDirectory('/tmp', 1),
    ...covered.flatMap(path => ['--tmpfs', path]),
    ...readable.flatMap(path => ['--ro-bind', path, path]),
    ...writable.flatMap(path => ['--bind', path, path]),
    ...['--bind', root, root],
    ...mounts.flatMap(({ path, isWritable }) => [isWritable ? '--bind' : '--ro-bind', path, path]),
    // Read-only, because these are memory without a size limit.
    ...covered.flatMap(path => ['--remount-ro', path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', cwd],
  ];
}
