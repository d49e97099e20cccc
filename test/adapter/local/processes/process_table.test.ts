/** Reads real processes from /proc. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  listProcesses,
  loadEnvironment,
  readEnvironment,
  readProcess,
  readProcessTable,
} from '../../../../src/adapter/local/processes/process_table';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'process-table-'));
});

afterAll(() => rm(directory, { recursive: true }));

it('reads a process whose name holds brackets, spaces and numbers', async () => {
  const program = join(directory, 'a) S 1 (b');
  await copyFile('/bin/sleep', program);
  const child = spawn(program, ['60'], { detached: true, env: { MARK: 'one two' } });
  try {
    await once(child, 'spawn');
    const row = readProcess(child.pid!);
    expect(row).toMatchObject({ pid: child.pid, parent: process.pid, group: child.pid, threads: 1, isDead: false });
    const started = row?.started;
    expect(readProcessTable().find(({ pid }) => pid === child.pid)?.started).toBe(started);
    expect((await listProcesses()).find(({ pid }) => pid === child.pid)?.started).toBe(started);
    expect(readEnvironment(child.pid!)).toContain('MARK=one two');
    expect(await loadEnvironment(child.pid!)).toContain('MARK=one two');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

it('returns nothing for a process that has been reaped', async () => {
  const child = spawn('/bin/true');
  await once(child, 'exit');
  expect(readProcess(child.pid!)).toBeUndefined();
  expect(readEnvironment(child.pid!)).toEqual(['']);
});

it('reports resident memory in bytes', () => {
  const bytes = readProcess(process.pid)?.residentBytes ?? 0;
  expect(bytes / process.memoryUsage.rss()).toBeGreaterThan(0.5);
  expect(bytes / process.memoryUsage.rss()).toBeLessThan(2);
});
