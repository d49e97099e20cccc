import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalShell } from '../../../../src/adapter/local/shell/shell';
import type { Shell, ShellRequest } from '../../../../src/port/shell';
import { SANDBOXES } from '../../../support/missing_sandboxes';
import { describeSandboxes, openKind } from '../../../support/sandbox_table';
import { shellLimits } from '../../../support/shell_limits';

/** The commands last much longer than this. The shell ends them within a second; a machine that runs all tests at once needs more. */
const SOON_MS = 5_000;

/** Lists the command lines of living processes whose arguments contain `text`. */
async function living(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter(line => line.includes(text));
}

// Durations that no other process sleeps, so that tests can find these.
let nextDuration = 600_000 + (process.pid % 10_000) * 10;
const uniqueDuration = () => String(nextDuration++);

/** Removes everything by which a process is found: its group, its parents and its environment. */
const orphan = (sleep: string) => `(setsid bash -c '(exec -c ${sleep}) & exec -c ${sleep}' &) ; sleep 30`;

describeSandboxes('local shell', ['none', ...SANDBOXES], kind => {
  let root: string;
  let shell: Shell;
  const run = (command: string, request: Partial<ShellRequest> = {}) =>
    shell.run({ command, cwd: root, timeoutMs: 10_000, maxOutputBytes: 64 * 1024, signal: new AbortController().signal, ...request });

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'neta-shell-')));
    const sandbox = await openKind(kind, { root });
    shell = createLocalShell({
      root,
      environment: { ...process.env, SECRET_TOKEN: 'hush', OPENAI_API_KEY: 'hush' },
      sandbox,
      limits: shellLimits(),
    });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('leaves nothing alive that detaches at the very end of a command', async () => {
    const durations = Array.from({ length: 24 }, uniqueDuration);
    for (const duration of durations) await run(`setsid sh -c 'sleep ${duration}; :' >/dev/null 2>&1 &`);
    for (const duration of durations) expect(await living(duration)).toEqual([]);
  });

  it('reports its isolation', async () => {
    expect(shell.isolation).toBe(kind);
  });

  it('returns exit code and output, stdout and stderr in the order they came', async () => {
    const result = await run('echo 1; echo 2 >&2; echo 3; echo 4 >&2; exit 7');
    expect(result).toMatchObject({ exitCode: 7, output: '1\n2\n3\n4\n', truncated: false, durationMs: expect.any(Number) });
    expect(result.killed).toBeUndefined();
  });

  it('runs whole scripts: several lines, quotes, here documents, syntax errors', async () => {
    expect((await run(`cat <<'END'\n$HOME "it's"\nEND\nprintf '%s|' "a b" c`)).output).toBe('$HOME "it\'s"\na b|c|');
    expect(await run('if then')).toMatchObject({ exitCode: 2, output: expect.stringContaining('syntax error') });
  });

  it('runs in the requested directory, without input', async () => {
    expect((await run('pwd; mkdir -p sub; cat')).output).toBe(`${root}\n`);
    expect((await run('pwd', { cwd: join(root, 'sub') })).output).toBe(`${join(root, 'sub')}\n`);
  });

  it('passes only the allow-list of the environment', async () => {
    const { output } = await run('env; cat /proc/self/environ');
    expect(output).not.toContain('hush');
    expect(output).toContain(`HOME=${root}\n`);
    const names = new Set([...output.matchAll(/^([A-Z_]+)=/gm)].map(match => match[1]));
    const known = /^(PATH|LANG|LANGUAGE|LC_\w+|TZ|SSL_CERT_\w+|HOME|TERM|NO_COLOR|PAGER|GIT_\w+|NETA_CALL|PWD|OLDPWD|SHLVL|_)$/;
    expect([...names].filter(name => !known.test(name ?? ''))).toEqual([]);
  });

  it('streams output, also when a character is split between chunks', async () => {
    const chunks: string[] = [];
    await run(`printf '\\344\\275'; sleep 0.05; printf '\\240\\n'`, { onOutput: chunk => chunks.push(chunk) });
    expect(chunks.join('')).toBe('你\n');
  });

  it('kills at the timeout, after half a second for the group to end by itself', async () => {
    const result = await run(`trap 'echo bye; exit' TERM; echo begun; while :; do sleep 0.02; done`, { timeoutMs: 300 });
    expect(result).toMatchObject({ killed: 'timeout', output: expect.stringContaining('begun') });
    if (kind === 'none') expect(result.output).toContain('bye');
    expect(result.durationMs).toBeLessThan(SOON_MS);
  });

  it('kills a process that ignores SIGTERM', async () => {
    const duration = uniqueDuration();
    const result = await run(`trap '' TERM; sleep ${duration} & trap '' TERM HUP INT; sleep ${duration}`, { timeoutMs: 200 });
    expect(result).toMatchObject({ exitCode: null, killed: 'timeout' });
    expect(await living(duration)).toEqual([]);
  });

  for (const [how, command] of [
    ['a child in the background', (sleep: string) => `${sleep} & wait`],
    ['a new session', (sleep: string) => `setsid ${sleep} & wait`],
    ['a double fork', (sleep: string) => `(setsid sh -c '${sleep} & exit' &) ; echo forked; sleep 30`],
    ['a process that ignores signals', (sleep: string) => `setsid sh -c "trap '' TERM HUP INT; ${sleep}; ${sleep}" & wait`],
    ['a session without its environment', (sleep: string) => `env -i setsid ${sleep} & wait`],
    // Without a sandbox this process cannot be found.
    ...(kind === 'none' ? [] : [['an orphan of another session without its environment', orphan] as const]),
  ] as const) {
    it(`leaves no survivor when it is cancelled: ${how}`, async () => {
      const duration = uniqueDuration();
      const controller = new AbortController();
      const begun = run(`echo begun; ${command(`sleep ${duration}`)}`, {
        signal: controller.signal,
        onOutput: () => void waitFor(async () => (await living(duration)).length > 0).then(() => controller.abort()),
      });
      const result = await begun;
      expect(result.killed).toBe('aborted');
      expect(await living(duration)).toEqual([]);
    });
  }

  it('resolves soon after it was cancelled', async () => {
    const controller = new AbortController();
    let cancelledAt = 0;
    await run('echo begun; setsid sleep 30 & sleep 30', {
      signal: controller.signal,
      onOutput: () => {
        cancelledAt = performance.now();
        controller.abort();
      },
    });
    expect(performance.now() - cancelledAt).toBeLessThan(SOON_MS);
  });

  it('ends background processes of a finished command, even if they hold the output open', async () => {
    const duration = uniqueDuration();
    const result = await run(`setsid sleep ${duration} & sleep ${duration} & disown -a; echo done`);
    expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
    expect(result.killed).toBeUndefined();
    expect(result.durationMs).toBeLessThan(SOON_MS);
    expect(await living(duration)).toEqual([]);
  });

  it('leaves the processes of other calls alone', async () => {
    const other = run('sleep 0.5; echo finished');
    await run('sleep 30', { timeoutMs: 100 });
    expect((await other).output).toBe('finished\n');
  });

  it('does not start a command that was cancelled before', async () => {
    const result = await run('touch started', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ exitCode: null, killed: 'aborted' });
    expect(await readdir(root)).not.toContain('started');
  });

  it('kills a command that floods its output, and keeps the start and the end', async () => {
    const chunks: string[] = [];
    const result = await run('echo first; yes', { onOutput: chunk => chunks.push(chunk) });
    expect(result).toMatchObject({ killed: 'output_limit', truncated: true });
    expect(result.output.startsWith('first\ny\n')).toBe(true);
    expect(Buffer.byteLength(result.output)).toBeLessThan(66 * 1024);
    expect(Buffer.byteLength(chunks.join(''))).toBe(64 * 1024);
    expect(result.durationMs).toBeLessThan(SOON_MS);
  });

  it('keeps the end of an output over the limit, and does not kill the command below twice the limit', async () => {
    const result = await run('seq 1 16000');
    expect(result).toMatchObject({ exitCode: 0, truncated: true });
    expect(result.killed).toBeUndefined();
    expect(result.output).toMatch(/^1\n2\n/);
    expect(result.output).toMatch(/bytes left out[\s\S]*15999\n16000\n$/);
  });

  it('rejects when the shell cannot be started', async () => {
    await expect(run('true', { cwd: join(root, 'none') })).rejects.toThrow();
  });
});

/** Polls until `isTrue`, at most five seconds. */
async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!(await isTrue()) && performance.now() < deadline) await new Promise(resolve => setTimeout(resolve, 5));
}

it('starts a command with low priority: its first processes have it before the gateway could lower it', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'neta-shell-')));
  // The gateway comes too late.
  const late = jest.spyOn(os, 'setPriority').mockImplementation(() => {});
  const shell = createLocalShell({ root, environment: process.env, limits: shellLimits() });
  const { signal } = new AbortController();
  const { output } = await shell.run({ command: '(nice)', cwd: root, timeoutMs: 10_000, maxOutputBytes: 1_024, signal });
  late.mockRestore();
  await rm(root, { recursive: true, force: true });
  expect(Number(output)).toBeGreaterThanOrEqual(os.constants.priority.PRIORITY_BELOW_NORMAL);
});
