import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalShell } from '../../../src/adapter/local/shell/shell';
import { bashTool } from '../../../src/tools/builtin/bash';
import { shellLimits } from '../../support/shell_limits';
import { openToolBench, type ToolBench } from '../../support/tool_context';

describe('bash', () => {
  let bench: ToolBench;
  const run = (args: unknown, overrides = {}) => bench.call(bashTool, args, overrides);

  beforeAll(async () => {
    bench = await openToolBench();
  });
  afterAll(() => bench.close());

  it('runs in the workspace and returns exit code and output', async () => {
    const result = await run({ command: 'pwd; echo oops >&2' });
    expect(result).toMatchObject({ ok: true, details: { exitCode: 0, truncated: false, durationMs: expect.any(Number) } });
    expect(result.content).toMatch(/^Exit code 0 \(/);
    expect(result.content).toContain(`\n${bench.root}\noops\n`);
  });

  it('fails when the command fails, and still shows its output', async () => {
    const result = await run({ command: 'echo why; exit 3' });
    expect(result).toMatchObject({ ok: false, details: { exitCode: 3 } });
    expect(result.content).toContain('Exit code 3');
    expect(result.content).toContain('why');
    expect((await run({ command: 'true' })).content).toContain('(no output)');
  });

  it('streams output while the command runs', async () => {
    const chunks: string[] = [];
    await run({ command: 'echo one; echo 你好' }, { onOutput: (chunk: string) => chunks.push(chunk) });
    expect(chunks.join('')).toBe('one\n你好\n');
  });

  it('runs in a directory of the workspace, and refuses others', async () => {
    await mkdir(join(bench.root, 'sub'));
    await symlink('/', join(bench.root, 'out'));
    expect((await run({ command: 'pwd', cwd: 'sub' })).content).toContain(join(bench.root, 'sub'));
    expect(await run({ command: 'pwd', cwd: 'out' })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await run({ command: 'pwd', cwd: '..' })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await run({ command: 'pwd', cwd: 'none' })).toMatchObject({ ok: false, details: { code: 'not_found' } });
  });

  it('kills a command at its time limit and says so', async () => {
    const result = await run({ command: 'echo begun; sleep 30', timeout_ms: 200 });
    expect(result).toMatchObject({ ok: false, details: { killed: 'timeout' } });
    expect(result.content).toMatch(/Killed after 200 ms.*\nbegun/s);
  });

  it('says that it was cancelled', async () => {
    const controller = new AbortController();
    const result = run({ command: 'echo begun; sleep 30' }, { signal: controller.signal, onOutput: () => controller.abort() });
    expect(await result).toMatchObject({ ok: false, details: { killed: 'aborted' }, content: expect.stringContaining('Cancelled') });
  });

  it('keeps the end of a long output', async () => {
    const result = await run({ command: 'seq 1 60000' });
    expect(result.details).toMatchObject({ truncated: true, exitCode: 0 });
    expect(result.content).toContain('bytes left out');
    expect(result.content.endsWith('59999\n60000\n')).toBe(true);
    expect(Buffer.byteLength(result.content)).toBeLessThan(257 * 1024);
  });

  it('refuses a NUL character and a time over ten minutes', async () => {
    expect(await run({ command: 'echo a\0b' })).toMatchObject({ ok: false });
    await expect(run({ command: 'true', timeout_ms: 600_001 })).rejects.toThrow('timeout_ms');
  });

  it('keeps neither directory nor variables from one call to the next', async () => {
    await run({ command: 'mkdir -p below; cd below; export COLOR=teal' });
    expect((await run({ command: 'pwd; echo "color=$COLOR"' })).content).toContain(`\n${bench.root}\ncolor=\n`);
  });

  it('obeys lower limits of the settings', async () => {
    const shell = createLocalShell({
      root: bench.root,
      environment: process.env,
      limits: shellLimits({ timeMs: 200, outputBytes: 1024 }),
    });
    const late = await run({ command: 'echo begun; sleep 30', timeout_ms: 60_000 }, { shell });
    expect(late).toMatchObject({ ok: false, details: { killed: 'timeout' } });
    expect(late.content).toMatch(/Killed after 200 ms.*at most 200/);
    const long = await run({ command: 'seq 1 400' }, { shell });
    expect(long).toMatchObject({ ok: true, details: { truncated: true }, content: expect.stringMatching(/bytes left out[\s\S]*\n400\n$/) });
    expect(Buffer.byteLength(long.content)).toBeLessThan(1_400);
    expect(await run({ command: 'yes' }, { shell })).toMatchObject({ details: { killed: 'output_limit' } });
  });
});
