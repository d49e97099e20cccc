import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalShell } from '../../../src/adapter/local/shell/shell';
import { TerminalService } from '../../../src/service/tool/terminal_service';
import { terminalTool } from '../../../src/tools/builtin/terminal';
import type { Terminal } from '../../../src/tools/session_state';
import { createManualClock } from '../../support/manual_clock';
import { SANDBOXES } from '../../support/missing_sandboxes';
import { describeSandboxes, openKind } from '../../support/sandbox_table';
import { shellLimits } from '../../support/shell_limits';
import { aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';
import { openToolBench, type ToolBench } from '../../support/tool_context';

describe('terminal', () => {
  let bench: ToolBench;
  let temporary: TemporaryStore;
  let terminals: TerminalService;
  let terminal: Terminal;
  const run = (command: string, overrides = {}) => bench.call(terminalTool, { command }, { terminal, ...overrides });

  beforeAll(async () => {
    bench = await openToolBench();
    temporary = await openTemporaryStore();
    terminals = new TerminalService({ store: temporary.store, clock: createManualClock() });
  });
  beforeEach(async () => {
    const id = `ses_${Math.random().toString(36).slice(2)}`;
    await temporary.store.transaction('none', tx => tx.sessions.insert(aSession({ id })));
    terminal = terminals.terminalFor(TENANT, id);
  });
  afterAll(async () => {
    await temporary.release();
    await bench.close();
  });

  it('starts in the directory of the last command, with its exported variables, also after a failure', async () => {
    await run('mkdir -p deep/er; cd deep/er; export WHO="you and $me" N=$(printf "a\\nb"); local=1; unset PAGER; exit 3');
    const result = await run('pwd; echo "$WHO|$N|$local|${PAGER-none}"; cd -');
    expect(result).toMatchObject({ ok: true, details: { exitCode: 0, cwd: '.' } });
    expect(result.content).toContain(`${join(bench.root, 'deep/er')}\nyou and |a\nb||none\n`);
  });

  it('works whatever options a command sets in its shell, and adds no variables of its own', async () => {
    const strict = await run('set -euo pipefail; export STRICT=1; echo hi');
    expect(strict).toMatchObject({ ok: true, details: { exitCode: 0 }, content: expect.stringMatching(/hi\n?$/) });
    expect((await run('IFS=0; (exit 10)')).details).toMatchObject({ exitCode: 10 });
    expect((await run('set -e; export BROKEN=1; false; echo on')).details).toMatchObject({ exitCode: 1 });
    expect((await run('set -ax; LOUD=2')).content).not.toContain('__neta');
    const { content } = await run('env; set -u; echo "$STRICT$BROKEN$LOUD"');
    expect(content).toMatch(/112\n?$/);
    expect(content).not.toContain('__neta');
  });

  it('keeps the earlier state when a command is killed or replaces the shell, and says so', async () => {
    await run('export KEPT=yes');
    const killed = await bench.call(terminalTool, { command: 'export KEPT=no; sleep 20', timeout_ms: 200 }, { terminal });
    expect(killed).toMatchObject({ ok: false, content: expect.stringMatching(/stay as they were[\s\S]*Killed after 200 ms/) });
    expect((await run('export KEPT=no; exec true')).content).toContain('stay as they were');
    expect((await run('echo $KEPT')).content).toContain('yes');
  });

  it('returns to the workspace from a directory that is gone or outside, with a note', async () => {
    await run('mkdir gone; cd gone');
    await rm(join(bench.root, 'gone'), { recursive: true });
    const result = await run('pwd');
    expect(result.content).toMatch(/^Note: .*gone is gone[\s\S]*Exit code 0/);
    expect(result.content).toContain(`\n${bench.root}\n`);
    expect((await run('cd /usr')).content).toContain('/usr is outside');
    await symlink('/', join(bench.root, 'out'));
    expect((await run('cd out/usr', { locale: 'zh-CN' })).content).toContain('在工作区之外');
    expect((await run('pwd')).content).toContain(`\n${bench.root}\n`);
  });

  it('does not keep more than 64 KiB of variables', async () => {
    await run('export SMALL=1');
    const big = await run('export SMALL=2 BIG=$(head -c 70000 /dev/zero | tr "\\0" a)');
    expect(big).toMatchObject({ ok: true, content: expect.stringContaining('over 64 KiB') });
    expect((await run('echo "$SMALL${#BIG}"')).content).toContain('\n10\n');
  });

  it('is separate for each session and tenant, and runs the commands of a session one after another', async () => {
    await temporary.store.transaction('none', tx => tx.sessions.insert(aSession({ tenantId: 'rival', id: 'ses_same' })));
    await temporary.store.transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_same' })));
    const [mine, theirs] = [terminals.terminalFor(TENANT, 'ses_same'), terminals.terminalFor('rival', 'ses_same')];
    const results = Promise.all([
      run('export A=mine; sleep 0.2; export B=1', { terminal: mine }),
      run('echo "$A$B"', { terminal: mine }),
      run('echo "[$A$B]"', { terminal: theirs }),
    ]);
    const [, second, foreign] = await results;
    expect(second.content).toContain('\nmine1\n');
    expect(foreign.content).toContain('\n[]\n');
  });

  it('keeps its state in the store', async () => {
    await temporary.store.transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_kept' })));
    await run('export KEPT=yes', { terminal: terminals.terminalFor(TENANT, 'ses_kept') });
    const later = new TerminalService({ store: temporary.store, clock: createManualClock() }).terminalFor(TENANT, 'ses_kept');
    expect((await run('echo $KEPT', { terminal: later })).content).toContain('yes');
  });

  describeSandboxes('its variables', SANDBOXES, kind => {
    it('are set inside the sandbox only, not for the programs that create it', async () => {
      const sandbox = await openKind(kind, { root: bench.root });
      const shell = createLocalShell({ root: bench.root, environment: process.env, sandbox, limits: shellLimits() });
      await mkdir(join(bench.root, 'bin'), { recursive: true });
      for (const program of ['bwrap', 'setpriv', 'unshare', 'mount']) {
        await writeFile(join(bench.root, 'bin', program), '#!/bin/sh\necho outside\n', { mode: 0o755 });
      }
      await run(`export PATH=${bench.root}/bin:$PATH LD_PRELOAD=/none.so BASH_ENV=/none`, { shell });
      const result = await run('echo "$LD_PRELOAD"; ls /proc | grep -c "^[0-9]*$"', { shell });
      // Inside, the loader complains of it. The program of the sandbox would have done so before anything was mounted, and the fake would have run.
      expect(result.content).toContain('\n/none.so\n');
      expect(result.content).not.toContain('outside\n');
    });
  });

  it('has no terminal in a direct call, and refuses a NUL character and a megabyte', async () => {
    const { terminal: _terminal, ...context } = { ...bench.ctx, terminal };
    expect(await terminalTool.execute({ command: 'true' }, context)).toMatchObject({ ok: false, content: expect.stringContaining('bash') });
    expect(await run('echo a\0b')).toMatchObject({ ok: false });
    await expect(run('#'.repeat(1024 * 1024))).rejects.toThrow('command');
  });
});
