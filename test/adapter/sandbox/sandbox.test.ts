import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalShell } from '../../../src/adapter/local/shell/shell';
import type { Shell, ShellRequest } from '../../../src/port/shell';
import { SANDBOXES } from '../../support/missing_sandboxes';
import { describeSandboxes, openKind } from '../../support/sandbox_table';
import { shellLimits } from '../../support/shell_limits';

describeSandboxes('a command', SANDBOXES, kind => {
  let directory: string;
  let root: string;
  let shell: Shell;
  const run = async (command: string, more: Partial<ShellRequest> = {}) => {
    const request = { cwd: root, timeoutMs: 10_000, maxOutputBytes: 65_536, signal: new AbortController().signal, ...more };
    return shell.run({ command, ...request });
  };

  beforeAll(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'neta-sandbox-')));
    root = join(directory, 'workspace');
    await mkdir(root);
    await writeFile(join(directory, 'secret.txt'), 'hush');
    shell = createLocalShell({ root, environment: process.env, sandbox: await openKind(kind, { root }), limits: shellLimits() });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('lets commands write in the workspace and shows nothing else of the host', async () => {
    const result = await run(`echo hi > made.txt; cat ${directory}/secret.txt; ls /root /home; cat /etc/shadow; touch /usr/x`);
    expect(await readFile(join(root, 'made.txt'), 'utf8')).toBe('hi\n');
    expect(result.output).not.toContain('hush');
    expect(result.output.match(/No such file/g)?.length).toBeGreaterThanOrEqual(4);
    expect(result.output).toContain('Read-only file system');
  });

  it('shows the kernel settings read-only, for root too', async () => {
    const result = await run(
      'cat /proc/sys/kernel/ostype; find /proc/sys -name core_pattern -writable; test -w /proc/sysrq-trigger || echo kept',
    );
    expect(result).toMatchObject({ exitCode: 0, output: 'Linux\nkept\n' });
  });

  it('hides other processes and has its own /tmp', async () => {
    const result = await run('ls /proc | grep -c "^[0-9]*$"; ls -A /tmp; echo x > /tmp/x && echo written');
    expect(Number(result.output.split('\n')[0])).toBeLessThan(10);
    expect(result.output).toContain('written');
  });

  it('holds no capability, and cannot get out by mounts, namespaces or other processes', async () => {
    expect((await run('grep -c "^Cap[A-Z][a-z]*:.0*$" /proc/self/status; grep NoNewPrivs: /proc/self/status')).output).toBe(
      '5\nNoNewPrivs:\t1\n',
    );
    const escapes = [
      'umount -l /usr',
      'mount -o remount,bind,rw /usr',
      'mount -t tmpfs none /usr',
      'nsenter --target 1 --mount --user true',
      `chroot /proc/1/root cat ${directory}/secret.txt`,
      // In its own user namespace a command is root, but the copied mounts stay locked.
      'unshare --user --map-root-user --mount umount -l /usr',
      'unshare --user --map-root-user --mount mount -o remount,bind,rw /usr',
      `unshare --user --map-root-user --mount --pid --fork mount -t proc none ${root}`,
    ];
    for (const attempt of escapes) {
      const { exitCode, output } = await run(`${attempt} && echo escaped; touch /usr/escaped && echo written`);
      expect({ attempt, exitCode, output }).toMatchObject({ exitCode: 1, output: expect.not.stringMatching(/^(escaped|written|hush)/m) });
    }
  });

  it('cannot reach files outside through descriptors of other processes in the sandbox', async () => {
    await mkdir(join(root, '.git/hooks'), { recursive: true });
    const held = '/proc/[0-9]*/fd/*';
    const { output } = await run(
      `for file in ${held}; do echo x > $file/hooks/pre-commit && echo written; ls $file/../secret.txt; done 2>/dev/null`,
    );
    expect(output).toBe('');
    expect(await readdir(join(root, '.git/hooks'))).toEqual([]);
    await rm(join(root, '.git'), { recursive: true });
  });

  it('lets programs talk to themselves over the loopback device', async () => {
    const { output } =
      await run(`perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)) && listen(S, 1) || die $!;
      my $to = getsockname(S); socket(C, PF_INET, SOCK_STREAM, 0); print connect(C, $to) ? "connected" : $!'`);
    expect(output).toBe('connected');
  });

  it('gives programs a pseudo-terminal and reaps dead processes', async () => {
    expect((await run('script -qc "tty; echo shown" /dev/null')).output).toBe('/dev/pts/0\r\nshown\r\n');
    expect((await run('for i in 1 2 3 4 5 6 7 8; do (setsid true &); done; sleep 0.3; ls -d /proc/[0-9]* | wc -l')).output).toMatch(
      /^[1-5]\n$/,
    );
  });

  it('hides directories of the gateway that lie below a system directory', async () => {
    const sandbox = await openKind(kind, { root, hidden: ['/usr/share/perl5', '/usr/share/none'] });
    const hiding = createLocalShell({ root, environment: process.env, sandbox, limits: shellLimits() });
    const request = { cwd: root, timeoutMs: 10_000, maxOutputBytes: 65_536, signal: new AbortController().signal };
    const result = await hiding.run({ command: 'ls -A /usr/share/perl5; touch /usr/share/perl5/x', ...request });
    expect(result.output).toMatch(/^touch: .*Read-only file system\n$/);
  });

  it('has no network, not even to this machine', async () => {
    const server: Server = createServer(socket => socket.end('hello'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const result = await run(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`).finally(() => server.close());
    expect(result.exitCode).not.toBe(0);
    expect(result.output).not.toContain('hello');
  });

  describe('prevents commands from changing what git executes', () => {
    const git = (path: string) => join(root, '.git', path);
    beforeEach(() => mkdir(git('hooks'), { recursive: true }).then(() => writeFile(git('config'), 'kept')));
    afterEach(() => rm(join(root, '.git'), { recursive: true, force: true }));

    it('in place, or by removing or renaming its directory', async () => {
      const { output } = await run('echo x > .git/hooks/pre-commit; echo x > .git/config; mv .git g2 && mkdir -p .git/hooks; rm -rf .git');
      expect(output).toContain('Read-only file system');
      expect(output).toMatch(/cannot move '\.git'.*busy/);
      expect(await readFile(git('config'), 'utf8')).toBe('kept');
      expect(await readdir(git('hooks'))).toEqual([]);
    });

    it('when it is missing, and lets them write the rest of .git', async () => {
      await rm(git('hooks'), { recursive: true });
      await rm(git('config'));
      const { output } = await run('echo x > .git/hooks/pre-commit; echo x > .git/config; echo x > .git/commondir; echo ok > .git/HEAD');
      expect(output.match(/Read-only file system/g)).toHaveLength(2);
      expect((await readdir(join(root, '.git'))).sort()).toEqual(['HEAD', 'config', 'hooks']);
      expect(await readdir(git('hooks'))).toEqual([]);
    });

    it('when .git is a file that names the directory', async () => {
      await rm(join(root, '.git'), { recursive: true });
      await writeFile(join(root, '.git'), 'gitdir: elsewhere');
      expect((await run('echo "gitdir: evil" > .git; mv .git g2')).output).toMatch(/Read-only file system[\s\S]*busy/);
      expect(await readFile(join(root, '.git'), 'utf8')).toBe('gitdir: elsewhere');
    });

    it('when a command removed all permissions of .git', async () => {
      expect((await run('chmod 000 .git')).exitCode).toBe(0);
      const { output } = await run('chmod 755 .git; mv .git g2');
      expect(output).toMatch(/Read-only file system[\s\S]*busy/);
      await chmod(join(root, '.git'), 0o755);
    });

    it('while git itself still works', async () => {
      await rm(join(root, '.git'), { recursive: true });
      const who = '-c user.name=a -c user.email=a@b';
      expect((await run('git init -q && touch a && ls -d .git/hooks')).exitCode).toBe(0);
      const result = await run(
        `git add a && git ${who} commit -qm one && git checkout -qb other && git ${who} stash -u; git log --oneline | wc -l`,
      );
      expect(result).toMatchObject({ exitCode: 0, output: expect.stringMatching(/1\n$/) });
      expect(await readdir(join(root, '.git'))).not.toContain('commondir');
    });

    it('without handing its descriptors to the command, while a terminal still writes its state', async () => {
      expect((await run('for fd in 3 4 5 6 7; do [ -e /proc/$$/fd/$fd ] && echo "open $fd"; done; true')).output).toBe('');
      expect(await run('cd .git; export COLOR=teal', { variables: {} })).toMatchObject({
        exitCode: 0,
        state: { cwd: join(root, '.git'), variables: { COLOR: 'teal' } },
      });
    });

    it('and does not start a command while another replaces .git', async () => {
      const sandbox = await openKind(kind, { root });
      const wrapped = await sandbox?.wrap('/bin/sh', ['-c', 'echo begun; touch .git/written'], root);
      await rename(join(root, '.git'), join(root, 'g2'));
      await mkdir(git('hooks'), { recursive: true });
      await writeFile(git('config'), '');
      const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, 'ignore' as const, ...(wrapped?.descriptors ?? [])];
      const { status, stdout, stderr } = spawnSync(wrapped?.command ?? '', wrapped?.args, { cwd: root, stdio });
      await wrapped?.release();
      await rm(join(root, 'g2'), { recursive: true });
      expect(String(stderr)).toContain('.git was replaced');
      expect(status).toBe(126);
      expect(String(stdout)).toBe('');
      expect(await readdir(join(root, '.git'))).not.toContain('written');
    });
  });

  it('does not mount the target of a .git that is a symlink', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'config'), 'hush');
    await symlink(elsewhere, join(root, '.git'));
    expect((await run('cat .git/config')).output).not.toContain('hush');
    await rm(join(root, '.git'));
  });
});
