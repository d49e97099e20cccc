/** Processes of this machine, told apart by host, pid and start time, so that a pid that is used again is not taken for its predecessor. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from '../../port/process_identity';

export function createProcessIdentity(): ProcessIdentity {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 60);
  const self = `${host}.${process.pid}.${startTime(process.pid) ?? Date.now()}`;
  return {
    self,
    isGone(owner) {
      const [ownerHost, pid, started] = owner.split('.');
      if (owner === self || ownerHost !== host) return false;
      return startTime(Number(pid)) !== started;
    },
  };
}

/** When the process started, in clock ticks since boot as Linux tells it; '-' where only its life is known; undefined when it is gone. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces; the start time is field 22, the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
