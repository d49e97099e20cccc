/** Finds the process that holds a socket, in /proc. */
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const DESCRIPTORS_PER_CHECK = 200;

/** Lists the inodes of this machine's sockets that connect one port to another; `0` for a socket that its process has closed. */
export async function findClientSockets(ports: { from: number; to: number }): Promise<string[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(name => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')));
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const line = new RegExp(`^ *\\d+: [0-9A-F]+:${hex(ports.from)} [0-9A-F]+:${hex(ports.to)} .*$`, 'gm');
  // Format of a line: `sl local remote state queues timer retransmits uid timeout inode ...`
  return tables.flatMap(table => [...table.matchAll(line)].map(([found]) => found.trim().split(/ +/)[9] ?? '0'));
}

/** Lists which of the wanted sockets the process holds; undefined when its descriptors cannot be read. */
export async function socketsHeldBy(
  pid: number,
  wanted: ReadonlySet<string>,
  yieldIfDue: () => Promise<void>,
): Promise<string[] | undefined> {
  const descriptors = listDescriptors(pid);
  const held: string[] = [];
  for (const [index, descriptor] of (descriptors ?? []).entries()) {
    const inode = inodeOf(`/proc/${pid}/fd/${descriptor}`);
    if (inode !== undefined && wanted.has(inode)) held.push(inode);
    if (index % DESCRIPTORS_PER_CHECK === 0) await yieldIfDue();
  }
  return descriptors && held;
}

/** Returns an empty list for a process that has ended, undefined for one that may not be read. */
function listDescriptors(pid: number): string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EACCES' ? undefined : [];
  }
}

function inodeOf(descriptor: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(descriptor))?.[1];
  } catch {
    return undefined;
  }
}
