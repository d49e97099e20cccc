/** Processes of this machine, told apart by host, pid and start time, so that a pid that is used again is not taken for its predecessor. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from '../../port/process_identity';

export function createProcessIdentity(): ProcessIdentity {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 60);
  const ownStart = startTime(process.pid);
  const self = `${host}.${process.pid}.${ownStart ?? '-'}`;
  return {
    self,
    isGone(owner) {
      const [ownerHost, pid, started] = owner.split('.');
      if (owner === self || ownerHost !== host) return false;
      return ownStart === undefined ? !isAlive(Number(pid)) : startTime(Number(pid)) !== started;
    },
  };
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
