/** The low priority of commands: it leaves the gateway enough CPU time to watch and end them, and CommandCallers recognises them by it. */
import { existsSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const NICE = '/usr/bin/nice';
const hasNice = existsSync(NICE);

/**
 * Nice value of commands: above that of the gateway, so that programs which were started as the gateway was are not taken for commands. A gateway
 * with the highest value, 19, cannot tell them apart: while a command runs it takes every new process with that value for one.
 */
export const COMMAND_PRIORITY = Math.min(
  constants.priority.PRIORITY_LOW,
  Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority() + 1),
);

/**
 * Lowers the priority before the command begins, so that every process it starts has the low priority too. Without the program `nice` only
 * `lowerPriority` is left, which a command that forks at once can outrun.
 */
export function withLowPriority(command: string, args: string[]): { command: string; args: string[] } {
  const steps = COMMAND_PRIORITY - getPriority();
  return hasNice && steps > 0 ? { command: NICE, args: ['-n', String(steps), command, ...args] } : { command, args };
}

export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, COMMAND_PRIORITY);
  } catch {
    // The command has ended already.
  }
}
