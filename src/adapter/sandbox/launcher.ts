/** Starts programs in one kind of sandbox. */
import { realpath } from 'node:fs/promises';
import type { SandboxKind } from '../../port/shell';
import type { SandboxExtras } from '../local/shell/shell';
import type { GuardedMount } from './git_guard';

export interface SandboxOptions {
  /** Real path of the workspace. */
  root: string;
  /** Directories to hide from commands, even below a system directory: the settings and the data of the gateway. */
  hidden?: readonly string[];
  /** Size of /tmp in bytes, which is memory; /dev/shm gets half of it. */
  scratchBytes?: number | undefined;
  /** Search path for the programs that create the sandbox. Default: PATH of this process. */
  path?: string | undefined;
}

export interface Launch extends SandboxExtras {
  /** The program with its arguments. */
  program: readonly string[];
  /** A directory in the workspace. */
  cwd: string;
  /** Real paths inside the workspace, to mount over themselves in this order. */
  mounts: readonly GuardedMount[];
}

export interface Launcher {
  readonly isolation: Exclude<SandboxKind, 'none'>;
  /** Resolves to the command line that runs the program in the sandbox. It expects the descriptors of the guard from FIRST_DESCRIPTOR on. */
  launch(launch: Launch): Promise<{ command: string; args: string[] }>;
}

export const SYSTEM_DIRECTORIES = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Files of /etc that programs need. The rest may hold passwords and keys. */
export const SYSTEM_FILES = [
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

/** Needed to find the addresses of hosts. */
export const NETWORK_FILES = ['/etc/resolv.conf'];

/** Hidden because a gateway that runs as root runs its commands as root: without any capability, root's user id may still write these files. */
export const KERNEL_SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/acpi', '/proc/scsi'];

/** Real paths of hidden directories below a system directory, which a command would otherwise see. */
export async function pathsToCover(hidden: readonly string[] = []): Promise<string[]> {
  const found = await Promise.all(hidden.map(path => realpath(path).catch(() => undefined)));
  return found.filter(path => path !== undefined).filter(path => SYSTEM_DIRECTORIES.some(directory => path.startsWith(`${directory}/`)));
}
