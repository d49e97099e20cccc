/**
 * Names processes of this machine by host, boot, PID namespace, pid and start time. Two containers or copies of a machine may share a host name,
 * and a pid may be reused.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { InstanceId } from '../../../port/instance_id';
import { ownPidNamespace, readProcess } from '../processes/process_table';

export function createInstanceId(): InstanceId {
  const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-');
  const place = `${host.slice(0, 60)}-${readBootId()}-${ownPidNamespace() ?? '0'}`;
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

/** The beginning of the id that the system gives to each of its boots; 0 on systems without one. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return '0';
  }
}

/** Start time of a living process; undefined once it has ended, and on systems without /proc. */
function startTime(pid: number): string | undefined {
  const row = readProcess(pid);
  return row && !row.isDead ? String(row.started) : undefined;
}

/** Fallback for systems without /proc. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
