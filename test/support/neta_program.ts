/** Runs the program `neta`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const PROGRAM = [process.execPath, join(__dirname, '../../scripts/neta.mjs')] as const;
export const BASE_ENV = { PATH: process.env['PATH'] ?? '', LANG: 'C' };

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Resolves with what the program wrote, when it has ended. */
export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', piece => {
    stdout += piece;
  });
  child.stderr?.on('data', piece => {
    stderr += piece;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** Starts the program with only these variables beside PATH and LANG, in a directory, or in the one of the tests. */
export function startNeta(
  args: readonly string[],
  env: Record<string, string>,
  prefix: readonly string[] = [],
  directory?: string,
): ChildProcess {
  const [program = '', ...rest] = [...prefix, ...PROGRAM, ...args];
  return spawn(program, rest, { env: { ...BASE_ENV, ...env }, cwd: directory });
}
