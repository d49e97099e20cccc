/**
 * Processes of this machine, told apart by host, PID namespace, pid and start time. Two containers may share a host name, and a pid may be used again.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { InstanceId } from '../../port/instance_id';

export function createInstanceId(): InstanceId {
  const place = `${hostname()
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 60)}-${pidNamespace()}`;
  const ownStart = startTime(process.pid);
  const self = `${place}.${process.pid}.${ownStart ?? '-'}`;
  return {
    self,
    isGone(owner) {
      const [ownerPlace, pid, started] = owner.split('.');
      if (owner === self || ownerPlace !== place) return false;
      return ownStart === undefined ? !isAlive(Number(pid)) : startTime(Number(pid)) !== started;
    },
  };
}

/** Inode of this process's PID namespace; 0 on systems without /proc. */
function pidNamespace(): string {
  try {
    // `pid:[4026531836]`
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    return '0';
  }
}

/** When the process started, in clock ticks since boot; undefined when it is gone, and on systems without /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces; the state is the first field after it, the start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Dead, but not yet looked at by its parent.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** All that can be said without /proc. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
