/** Reads the mounts of this machine from the kernel, and writes the fstab lines that copy them into a sandbox. */
import { readFile } from 'node:fs/promises';

export interface HostMount {
  path: string;
  /** File system type, such as ext4. */
  type: string;
  options: readonly string[];
}

/** Flags of a mount that a copy in a user namespace must keep, so they are repeated when another flag is added. */
const LOCKED = ['ro', 'noexec'];

/** Ordered by mount time, oldest first. */
export async function readHostMounts(): Promise<HostMount[]> {
  return parseMounts(await readFile('/proc/self/mountinfo', 'utf8'));
}

/** Parses lines such as `25 1 0:23 / /dev/shm rw,nosuid shared:2 - tmpfs tmpfs rw`. */
export function parseMounts(text: string): HostMount[] {
  return text.split('\n').flatMap(line => {
    // The number of fields before the separator varies.
    const [mount = '', source = ''] = line.split(' - ');
    const [, , , , path, options] = mount.split(' ');
    const [type = ''] = source.split(' ');
    return path === undefined || options === undefined ? [] : [{ path: unescaped(path), type, options: options.split(',') }];
  });
}

/** Returns the mount that holds the path. */
export function mountOf(mounts: readonly HostMount[], path: string): HostMount | undefined {
  const holders = mounts.filter(mount => isAt(mount.path, path));
  const deepest = Math.max(0, ...holders.map(mount => mount.path.length));
  // The last of several mounts at one path is the visible one.
  return holders.findLast(mount => mount.path.length === deepest);
}

/** Returns the options, of the mount that holds the path, that a copy must keep. */
export function lockedOptions(mounts: readonly HostMount[], path: string): string[] {
  const options = mountOf(mounts, path)?.options ?? [];
  return LOCKED.filter(option => options.includes(option));
}

/** Lists the mount points below a directory, without those at or below one of `except`. */
export const mountsBelow = (mounts: readonly HostMount[], directory: string, except: readonly string[]): string[] =>
  mounts.map(({ path }) => path).filter(path => path.startsWith(`${directory}/`) && !except.some(other => isAt(other, path)));

export interface TableLine {
  source: string;
  target: string;
  /** File system type. Default: none, for a bind mount. */
  type?: string;
  options: readonly string[];
}

/** Formats one line of an fstab. */
export const tableLine = ({ source, target, type = 'none', options }: TableLine): string =>
  `${escaped(source)} ${escaped(target)} ${type} ${[...new Set(options)].join(',')}`;

const isAt = (directory: string, path: string): boolean => path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);

/** mountinfo and fstab write white space and backslashes as three octal digits. */
const escaped = (path: string): string =>
  path.replaceAll(/[ \t\n\\]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
