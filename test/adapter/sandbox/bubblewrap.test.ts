import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalShell } from '../../../src/adapter/local/shell';
import { bubblewrapArguments, detectBubblewrap } from '../../../src/adapter/sandbox/bubblewrap';
import type { Shell } from '../../../src/port/shell';
import { shellLimits } from '../../support/shell_limits';

describe('bubblewrap', () => {
  let directory: string;
  let root: string;
  let shell: Shell | undefined;
  const run = async (command: string) => {
    const request = { cwd: root, timeoutMs: 10_000, maxOutputBytes: 65_536, signal: new AbortController().signal };
    return (shell as Shell).run({ command, ...request });
  };
  const test = (name: string, work: () => Promise<void>) =>
    it(name, async () => {
      if (shell) await work();
    });

  beforeAll(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'neta-bubblewrap-')));
    root = join(directory, 'workspace');
    await mkdir(root);
    await writeFile(join(directory, 'secret.txt'), 'hush');
    const sandbox = await detectBubblewrap({ root });
    if (sandbox) shell = createLocalShell({ root, environment: process.env, sandbox, limits: shellLimits() });
    else process.stderr.write('bubblewrap does not work on this machine: its tests are left out\n');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('is not detected for a directory that does not exist', async () => {
    expect(await detectBubblewrap({ root: join(directory, 'none') })).toBeUndefined();
  });

  it('mounts system directories read-only first, then hides, then the workspace, then what is protected', () => {
    const args = bubblewrapArguments(
      { root: '/usr/src/app/ws', hidden: ['/usr/src/app', '/srv/x'] },
      ['/usr/src/app/ws/.git/hooks'],
      '/usr/src/app/ws',
    );
    const at = (...words: string[]) => args.findIndex((_, i) => words.every((word, k) => args[i + k] === word));
    const order = [
      at('--ro-bind-try', '/usr', '/usr'),
      at('--tmpfs', '/tmp'),
      at('--tmpfs', '/usr/src/app'),
      at('--bind', '/usr/src/app/ws', '/usr/src/app/ws'),
      at('--ro-bind', '/usr/src/app/ws/.git/hooks', '/usr/src/app/ws/.git/hooks'),
      at('--chdir', '/usr/src/app/ws'),
    ];
    expect(order).not.toContain(-1);
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(args).toContain('--unshare-all');
    expect(args).not.toContain('/srv/x');
  });

  test('lets commands write in the workspace and shows nothing else of the host', async () => {
    const result = await run(`echo hi > made.txt; cat ${directory}/secret.txt; ls /root /home; cat /etc/shadow; touch /usr/x`);
    expect(await readFile(join(root, 'made.txt'), 'utf8')).toBe('hi\n');
    expect(result.output).not.toContain('hush');
    expect(result.output.match(/No such file/g)?.length).toBeGreaterThanOrEqual(4);
    expect(result.output).toContain('Read-only file system');
  });

  test('shows the settings of the kernel, and lets nobody change them, not even root', async () => {
    const result = await run(
      'cat /proc/sys/kernel/ostype; find /proc/sys -name core_pattern -writable; test -w /proc/sysrq-trigger || echo kept',
    );
    expect(result).toMatchObject({ exitCode: 0, output: 'Linux\nkept\n' });
  });

  test('keeps other processes out of sight and has a /tmp of its own', async () => {
    const result = await run('ls /proc | grep -c "^[0-9]*$"; ls -A /tmp; echo x > /tmp/x && echo written');
    expect(Number(result.output.split('\n')[0])).toBeLessThan(10);
    expect(result.output).toContain('written');
  });

  test('has no network, not even to this machine', async () => {
    const server: Server = createServer(socket => socket.end('hello'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const result = await run(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`);
    server.close();
    expect(result.exitCode).not.toBe(0);
    expect(result.output).not.toContain('hello');
  });

  test('keeps what git runs from being changed', async () => {
    await mkdir(join(root, '.git/hooks'), { recursive: true });
    await writeFile(join(root, '.git/config'), 'kept');
    const result = await run('echo x > .git/hooks/pre-commit; echo x > .git/config; rm -rf .git; cat .git/config');
    expect(result.output).toContain('Read-only file system');
    expect(await readFile(join(root, '.git/config'), 'utf8')).toBe('kept');
    await rm(join(root, '.git'), { recursive: true });
  });

  test('brings nothing in through a .git that is a symlink', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'config'), 'hush');
    await symlink(elsewhere, join(root, '.git'));
    expect((await run('cat .git/config')).output).not.toContain('hush');
    await rm(join(root, '.git'));
  });
});
