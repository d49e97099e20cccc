/** Commands that exceed limits. All of them are finite, so that a limit that fails costs this machine only seconds. */
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalShell } from '../../../../src/adapter/local/shell/shell';
import type { Shell, ShellLimits, ShellRequest } from '../../../../src/port/shell';
import { SANDBOXES } from '../../../support/missing_sandboxes';
import { describeSandboxes, openKind } from '../../../support/sandbox_table';
import { shellLimits } from '../../../support/shell_limits';

const MEBIBYTE = 1024 * 1024;
const LOW = { processes: 40, memoryBytes: 64 * MEBIBYTE, cpuSeconds: 1, fileBytes: MEBIBYTE };

/** Lists processes whose command line contains `text`, except dead ones that are not reaped. */
async function living(text: string): Promise<number> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter(line => line.includes(text)).length;
}

let nextDuration = 500_000 + (process.pid % 10_000) * 10;

describeSandboxes('limits of the local shell', ['none', ...SANDBOXES], kind => {
  let root: string;
  let open: (limits: Partial<ShellLimits>) => Shell;
  let shell: Shell;
  const run = (command: string, request: Partial<ShellRequest> = {}) =>
    shell.run({ command, cwd: root, timeoutMs: 30_000, maxOutputBytes: 64 * 1024, signal: new AbortController().signal, ...request });

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'neta-limits-')));
    const sandbox = await openKind(kind, { root, scratchBytes: MEBIBYTE });
    open = limits => createLocalShell({ root, environment: process.env, sandbox, limits: shellLimits(limits) });
  });
  beforeEach(() => {
    shell = open(LOW);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('ends a command that keeps forking, with all its processes', async () => {
    const sleep = `sleep ${nextDuration++}`;
    const result = await run(`grow() { [ $1 -gt 0 ] && { grow $(($1 - 1)) & grow $(($1 - 1)) & }; ${sleep}; }; grow 7`);
    expect(result).toMatchObject({ killed: 'process_limit' });
    expect(await living(sleep.replace(' ', '\0'))).toBe(0);
  });

  it('ends a command whose children keep forking outside its group', async () => {
    const sleep = `sleep ${nextDuration++}`;
    const result = await run(`for i in $(seq 80); do (setsid ${sleep} &); done; ${sleep}`);
    expect(result).toMatchObject({ killed: 'process_limit' });
    expect(await living(sleep.replace(' ', '\0'))).toBe(0);
  });

  it('ends processes that exceed the memory limit together, though none does alone', async () => {
    // Bash replaces itself by its last command and frees its memory, so `sleep` must not be the last.
    const hold = `bash -c 'x=$(head -c 8000000 /dev/zero | tr "\\0" x); sleep 20; :'`;
    shell = open({ ...LOW, processes: 500 });
    const result = await run(`for i in $(seq 12); do ${hold} & done; wait`);
    expect(result).toMatchObject({ killed: 'memory_limit' });
    // Commands have a low priority, so on a busy machine they allocate slowly.
  });

  it('denies a process memory over the limit', async () => {
    const result = await run('tail /dev/zero');
    expect(result).toMatchObject({ exitCode: 1, output: expect.stringContaining('memory exhausted') });
  });

  it('ends a command whose file grows too large, and names the limit', async () => {
    const result = await run('exec head -c 50000000 /dev/zero > endless');
    expect(result).toMatchObject({ limit: 'file_size' });
    expect((await stat(join(root, 'endless'))).size).toBe(MEBIBYTE);
  });

  it('ends a process that exceeds its CPU time', async () => {
    expect(await run('while :; do :; done')).toMatchObject({ limit: 'cpu' });
  });

  it('lets a command within every limit finish', async () => {
    const result = await run('for i in $(seq 20); do sleep 0.4 & done; wait; head -c 1000000 /dev/zero > fits; echo fine');
    expect(result).toMatchObject({ exitCode: 0, output: 'fine\n' });
  });

  it('returns bytes that are not text as valid text', async () => {
    const result = await run(`printf '\\000\\377\\376a'; head -c 5000 /dev/urandom`);
    expect(result.exitCode).toBe(0);
    expect(result.output.startsWith('\0\ufffd\ufffda')).toBe(true);
  });

  if (kind !== 'none') {
    it('offers no memory file system without a limit', async () => {
      shell = open({ ...LOW, fileBytes: 100 * MEBIBYTE });
      const result = await run(`for d in /tmp /dev/shm; do head -c 3000000 /dev/zero > $d/x; done; echo x > /dev/y; echo x > /y`);
      expect(result.output.match(/No space left/g)).toHaveLength(2);
      expect(result.output.match(/Read-only file system/g)).toHaveLength(2);
    });
  }
});
