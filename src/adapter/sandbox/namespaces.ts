/**
 * Runs commands in namespaces created by the programs of util-linux: user, PID, mount, network, IPC and UTS. As in bubblewrap, commands see the
 * system read-only, the workspace read-write at its own path, an empty /tmp, and no network unless the launch asks for it.
 */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type HostMount, lockedOptions, mountsBelow, readHostMounts, type TableLine, tableLine } from '../local/disk/mount_table';
import { isInside } from '../local/disk/safe_path';
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
import { BUILD_SCRIPT, startScript } from './namespace_scripts';

/** A path of this machine that commands see read-only at the same path. */
interface SystemPath {
  /** Real path of the directory on the host. */
  source: string;
  path: string;
  isDirectory: boolean;
}

interface System {
  paths: readonly SystemPath[];
  /** Symlinks to copy, such as /bin where it leads to usr/bin. */
  links: readonly string[];
  settings: readonly string[];
  /** Directory to build the new root below; its old content is hidden until the new root is entered. */
  base: string;
}

/** A directory that the sandbox hides. When it is opened, it stays writable until the mount points below it exist. */
interface CoveredPath {
  path: string;
  isOpened: boolean;
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map(name => `/dev/${name}`);
/** Opens a new pseudo-terminal of the sandbox's own devpts. */
const TERMINALS = '/dev/ptmx';
const DEVICE_LINKS = ['fd', 'stdin', 'stdout', 'stderr'].map(name => `/dev/${name}`);
const BASES = ['/sys', '/mnt', '/media', '/srv', '/opt', '/home'];
const QUIET = ['nosuid', 'nodev'];
const SANDBOX_PROGRAMS = ['--pdeathsig', 'KILL', 'unshare', '--map-root-user', '--pid', '--fork', '--kill-child'];

/** Inspects the system once; each launch only reads the present mounts. */
export async function createNamespaces(options: SandboxOptions): Promise<Launcher> {
  const offline = await lookAtSystem(options.root);
  const networkFiles = (await Promise.all(NETWORK_FILES.map(toSystemPath))).flat();
  const online = { ...offline, paths: [...offline.paths, ...networkFiles] };
  return {
    isolation: 'namespaces',
    async launch({ program, cwd, mounts, readable = [], writable = [], network }) {
      const system = network ? online : offline;
      const hostMounts = await readHostMounts();
      const newRoot = `${system.base}/root`;
      const directories = system.paths.filter(({ isDirectory }) => isDirectory).map(({ path }) => path);
      const files = [...DEVICES, TERMINALS, ...system.paths.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path)];
      const parents = [...new Set(files.map(path => dirname(path)))];
      const words = (prefix: string, paths: readonly string[]) => paths.map(path => prefix + path).join(' ');
      const places = [options.root, ...readable, ...writable];
      const covered = (await pathsToCover(options.hidden)).map(path => ({ path, isOpened: places.some(place => isInside(path, place)) }));
      const apart = [options.root, ...covered.map(({ path }) => path), ...writable];
      const readOnly = [
        // A bind mount makes only the topmost mount read-only.
        ...[...directories, ...readable].flatMap(path => mountsBelow(hostMounts, path, apart)),
        ...covered.flatMap(({ path, isOpened }) => (isOpened ? [path] : [])),
      ].map(path => newRoot + path);
      const lines = tableOf(system, { ...options, readable, writable }, { mounts, hostMounts, covered });
      const build = [
        ...[system.base, lines.map(tableLine).join('\n')],
        ...[
          words('root', [...directories, ...parents, '/proc', '/tmp', '/dev/pts', '/dev/shm']),
          words('.', files),
          system.links.join(' '),
        ],
        ...[readOnly.join('\n'), places.join('\n'), cwd, String(process.geteuid?.() ?? 0), String(process.getegid?.() ?? 0)],
        ...[startScript(checkScript(mounts)), ...mounts.map(({ path }) => path), ...program],
      ];
      const namespaces = ['--mount', ...(network ? [] : ['--net']), '--ipc', '--uts'];
      return { command: 'setpriv', args: [...SANDBOX_PROGRAMS, ...namespaces, '/bin/sh', '-c', BUILD_SCRIPT, 'sh', ...build] };
    },
  };
}

async function lookAtSystem(root: string): Promise<System> {
  const links: string[] = [];
  const paths: SystemPath[] = [];
  for (const path of [...SYSTEM_DIRECTORIES, ...SYSTEM_FILES, ...DEVICE_LINKS]) {
    const isLink = await lstat(path).then(
      stats => stats.isSymbolicLink(),
      () => undefined,
    );
    if (isLink === undefined) continue;
    if (isLink && !SYSTEM_FILES.includes(path)) links.push(path);
    else paths.push(...(await toSystemPath(path)));
  }
  const settings = await existing(KERNEL_SETTINGS);
  const bases = await existing(BASES);
  return { paths, links, settings, base: bases.find(base => !root.startsWith(`${base}/`) && root !== base) ?? '/sys' };
}

/** Resolves with an empty list when there is no such path. */
async function toSystemPath(path: string): Promise<SystemPath[]> {
  const source = await realpath(path).catch(() => undefined);
  return source === undefined ? [] : [{ source, path, isDirectory: (await stat(source)).isDirectory() }];
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(path =>
      stat(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/** Lists the mounts of the new root. Later mounts cover earlier ones, so the order matters. */
function tableOf(
  { paths, settings, base }: System,
  { root, scratchBytes, readable = [], writable = [] }: SandboxOptions & SandboxExtras,
  { mounts, hostMounts, covered }: { mounts: readonly GuardedMount[]; hostMounts: readonly HostMount[]; covered: readonly CoveredPath[] },
): TableLine[] {
  const newRoot = `${base}/root`;
  const at = (path: string) => newRoot + path;
  const bind = (source: string, path: string, options: readonly string[]): TableLine => ({
    source,
    target: at(path),
    options: [...options, ...QUIET, ...lockedOptions(hostMounts, source)],
  });
  const memory = (path: string, options: readonly string[]): TableLine => ({
    source: 'tmpfs',
    target: at(path),
    type: 'tmpfs',
    options: [...options, ...QUIET],
  });
  const size = (share: number) => (scratchBytes === undefined ? [] : [`size=${Math.ceil(scratchBytes * share)}`]);
  return [
    // All mount points exist already, so the root itself can be read-only from the start.
    { source: newRoot, target: newRoot, options: ['bind', 'ro'] },
    ...paths.map(({ source, path, isDirectory }) => bind(source, path, [isDirectory ? 'rbind' : 'bind', 'ro', 'nofail'])),
    { source: 'proc', target: at('/proc'), type: 'proc', options: [...QUIET, 'noexec'] },
    ...settings.map(path => ({ source: at(path), target: at(path), options: ['bind', 'ro', ...QUIET, 'noexec'] })),
    ...DEVICES.map(path => ({ source: path, target: at(path), options: ['bind'] })),
    { source: 'devpts', target: at('/dev/pts'), type: 'devpts', options: ['newinstance', 'ptmxmode=0666', 'mode=620', 'nosuid', 'noexec'] },
    { source: at('/dev/pts/ptmx'), target: at(TERMINALS), options: ['bind'] },
    memory('/dev/shm', ['mode=1777', ...size(0.5)]),
    memory('/tmp', ['mode=1777', ...size(1)]),
    ...covered.map(({ path, isOpened }) => memory(path, [...(isOpened ? [] : ['ro']), 'mode=755'])),
    // Directories below /tmp need their mount points in the new, empty /tmp.
    ...readable.map(path => bind(path, path, ['rbind', 'ro', 'X-mount.mkdir'])),
    ...writable.map(path => bind(path, path, ['rbind', 'X-mount.mkdir'])),
    bind(root, root, ['rbind', 'X-mount.mkdir']),
    ...mounts.map(({ path, isWritable }) => bind(path, path, isWritable ? ['bind'] : ['bind', 'ro'])),
  ];
}
