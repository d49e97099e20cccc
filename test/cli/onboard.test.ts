/** The first run: `neta onboard`, `neta service`, and `neta doctor` while the gateway is down. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeEnvFile, variableLine, withVariables } from '../../src/cli/env_file';
import { findPlace } from '../../src/cli/gateway_place';
import { unitText } from '../../src/cli/systemd_unit';
import { KEY, type KeyedModel, startKeyedModel } from '../support/keyed_model';
import { sandboxSettings } from '../support/missing_sandboxes';
import { type MockModel, startMockModel } from '../support/mock_model';
import { BASE_ENV, ended, PROGRAM, startNeta } from '../support/neta_program';
import { createRestClient } from '../support/rest_client';

let model: MockModel;
let server: KeyedModel;
let directory: string;
let port: string;
/** The gateway of the test that starts one. */
let started: ChildProcess | undefined;
/** A busy machine starts and stops the gateways of a test slowly. */
const LIMIT_MS = 150_000;

beforeAll(async () => {
  model = await startMockModel();
  server = await startKeyedModel(model);
  model.onTurn('Answer with the word OK.', 'OK');
});
afterAll(async () => {
  server?.stop();
  await model?.stop();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'neta-onboard-'));
  port = await freePort();
});
afterEach(async () => {
  started?.kill('SIGKILL');
  await endOf(started);
  await rm(directory, { recursive: true });
});

/** Resolves when the process has ended, by itself or by a signal. */
async function endOf(child: ChildProcess | undefined): Promise<void> {
  if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as { port: number };
  await new Promise(resolve => probe.close(resolve));
  return String(free);
}

const env = () => ({ ...sandboxSettings(), MY_KEY: KEY, HOME: directory, XDG_CONFIG_HOME: join(directory, 'own') });
const neta = (...args: string[]) => ended(startNeta(args, env()));
const readDirectory = (...path: string[]) => readFile(join(directory, ...path), 'utf8');
const onboard = (...args: string[]) => neta('onboard', directory, '--yes', '--port', port, ...args);
const doctor = async () => {
  const { code, stdout, stderr } = await neta('doctor', directory, '--json');
  expect(stderr).toBe('');
  const { ok, checks }: { ok: boolean; checks: { name: string; status: string; message: string }[] } = JSON.parse(stdout);
  return { code, ok, statusOf: Object.fromEntries(checks.map(({ name, status }) => [name, status])) };
};

it(
  'sets up a directory that start runs with the tried model and the first key; doctor checks it before',
  async () => {
    const workspace = join(directory, 'my files');
    const wish = ['--base-url', server.baseUrl, '--key-env', 'MY_KEY', '--model', 'mock-model', '--workspace', workspace];
    const { code, stdout, stderr } = await onboard(
      ...wish,
      '--admin-key-name',
      'root',
      '--account',
      'lei@example.com',
      '--service',
      'none',
      '--json',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      directory,
      url: `http://127.0.0.1:${port}`,
      model: 'mock-model',
      key: { name: 'root' },
      account: { email: 'lei@example.com', url: expect.stringContaining(`http://127.0.0.1:${port}/#invitation=`) },
      service: 'none',
    });
    expect(await readDirectory('.env')).toContain(`PORT=${port}\n`);
    expect(await readDirectory('config', 'models.yaml')).toContain('model: mock-model');
    expect(await readDirectory('data', 'secrets.yaml')).toContain(KEY);
    expect((await stat(join(directory, 'data', 'secrets.yaml'))).mode & 0o777).toBe(0o600);
    for (const file of ['.env', 'config/models.yaml']) expect(await readDirectory(file)).not.toContain(KEY);

    const down = await doctor();
    const usual = { config: 'ok', 'model:mock-model': 'ok', address: 'fail', 'local:database': 'ok', 'local:disk': expect.any(String) };
    expect({ ...down, code: down.code }).toMatchObject({
      code: 1,
      ok: false,
      statusOf: { ...usual, sandbox: expect.stringMatching(/ok|warn/) },
    });

    const gateway = startNeta(['start', directory], sandboxSettings());
    started = gateway;
    const [line] = await once(gateway.stdout as NonNullable<typeof gateway.stdout>, 'data');
    expect(String(line)).toContain(`ready on http://127.0.0.1:${port} (model mock-model)`);
    const rest = createRestClient(report.url);
    const headers = { authorization: `Bearer ${report.key.secret}` };
    model.onTurn('hello', 'Good morning.');
    expect((await rest.run({ input: 'hello' }, headers)).body.text).toBe('Good morning.');
    const invitation = await rest.request('GET', `/invitations/${new URL(report.account.url).hash.replace('#invitation=', '')}`);
    expect(invitation.body).toMatchObject({ kind: 'account', role: 'operator', email: 'lei@example.com' });
    // The key of the first run was for that process alone.
    expect(
      (await rest.request<{ data: { name: string }[] }>('GET', '/api-keys', undefined, headers)).body.data.map(({ name }) => name),
    ).toEqual(['root']);
    const again = await onboard();
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('a program listens there already') });
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
    await writeFile(join(directory, 'config', 'models.yaml'), 'models: []\n');
    expect((await doctor()).statusOf).toMatchObject({ model: 'fail' });
  },
  LIMIT_MS,
);

it("a model that does not answer ends with the server's words and code 1; without a terminal there is no question", async () => {
  const refused = await onboard('--base-url', server.baseUrl, '--model', 'mock-model');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/key/i) });
  expect(await onboard('--key-env', 'NO_SUCH_KEY')).toMatchObject({ code: 2, stderr: expect.stringContaining('NO_SUCH_KEY') });
  expect(await onboard('--account', 'lei')).toMatchObject({ code: 2, stderr: expect.stringContaining('e-mail address') });
  expect(await onboard('--service', 'docker')).toMatchObject({ code: 2, stderr: expect.stringContaining('none, user or system') });
  expect(await neta('onboard', directory)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
});

it('an address that other machines reach gets a key in a file, and the addresses of its pages', async () => {
  const { code, stdout } = await onboard('--host', '0.0.0.0', '--json');
  expect(code).toBe(0);
  const { key } = JSON.parse(stdout);
  expect(await readDirectory('.env')).toMatch(new RegExp(`^NETA_ORIGINS=http://.+:${port}$`, 'm'));
  expect(await readDirectory('secrets', 'api-keys')).toContain(`admin:${key.secret}:default:chat+`);
  expect((await stat(join(directory, 'secrets', 'api-keys'))).mode & 0o777).toBe(0o600);
  expect((await doctor()).statusOf).toMatchObject({ 'local:settings': 'ok' });
  // The report with the key does not come when the model refuses.
  const refused = await onboard('--host', '0.0.0.0', '--base-url', server.baseUrl, '--model', 'mock-model');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(join(directory, 'secrets', 'api-keys')) });
});

it('DATABASE_URL_FILE names a database server, too', () => {
  expect(findPlace(directory, { DATABASE_URL_FILE: '/run/secrets/database_url' }).isOnServer).toBe(true);
});

it('service writes a unit that keeps the sandbox working, and says when systemd does not run', async () => {
  await writeFile(join(directory, '.env'), '');
  const unit = join(directory, 'own/systemd/user/neta-gateway.service');
  const isBooted = spawnSync('test', ['-d', '/run/systemd/system']).status === 0;
  if (!isBooted) {
    const { code, stdout, stderr } = await neta('service', 'install', directory, '--user');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('systemd does not run on this machine') });
    expect(stdout).toContain(await readFile(unit, 'utf8'));
    expect(await neta('service', 'status', '--user')).toMatchObject({ code: 1, stdout: expect.stringContaining(directory) });
    expect(await neta('service', 'remove', '--user')).toMatchObject({ code: 0 });
  }
  expect(await neta('service', 'status', '--user')).toMatchObject({ code: 1, stdout: 'There is no service.\n' });
  expect(await neta('service', 'install', tmpdir())).toMatchObject({ code: 2, stderr: expect.stringContaining('neta onboard') });
});

const UNIT = {
  directory: '/srv/neta data/50%',
  writable: ['/srv/neta data/50%/workspace', '/data/files'],
  // The checkout may be in /tmp.
  command: ['/usr/bin/env', 'neta', 'start', '/srv/neta data/50%'],
};

it('the unit lets the service write its directories alone, and forbids nothing that the sandbox needs', () => {
  const system = unitText({ ...UNIT, scope: 'system', user: 'neta' });
  const settings = system.split('\n').filter(line => !line.startsWith('#'));
  for (const line of [
    'User=neta',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'PrivateTmp=yes',
    'Restart=on-failure',
    'TimeoutStopSec=40',
  ])
    expect(settings).toContain(line);
  expect(settings.filter(line => line.startsWith('ReadWritePaths='))).toEqual([
    'ReadWritePaths="/srv/neta data/50%%"',
    'ReadWritePaths=/data/files',
  ]);
  expect(system).not.toMatch(
    /^(RestrictNamespaces|PrivateUsers|ProtectKernelTunables|ProtectProc|ProtectHostname|MemoryDenyWriteExecute)=/m,
  );
  expect(unitText({ ...UNIT, scope: 'user' })).not.toMatch(/^(User|CapabilityBoundingSet)=/m);
  // An own /tmp would hide the directory.
  expect(unitText({ ...UNIT, scope: 'system', directory: '/tmp/neta' })).not.toContain('PrivateTmp');
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
(hasAnalyze ? it : it.skip)('systemd accepts the unit and rates it (needs systemd-analyze)', async () => {
  const unit = join(directory, 'neta-gateway.service');
  for (const scope of ['user', 'system'] as const) {
    await writeFile(unit, unitText({ ...UNIT, scope }));
    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [`--${scope}`, ...args], { encoding: 'utf8', env: { ...BASE_ENV, XDG_RUNTIME_DIR: directory } });
    expect(analyze('verify', unit)).toMatchObject({ status: 0, stderr: '' });
    if (scope === 'user') continue;
    // "OK" begins below 5.0; namespaces, which the sandbox needs, cost the rest.
    expect(analyze('security', '--offline=true', '--threshold=40', unit)).toMatchObject({ status: 0 });
  }
});

it('variables go into the line that sets or shows them, and Node reads them as they were', () => {
  expect(withVariables('# PORT=7001\nHOST=::1\n', { PORT: '1', HOST: 'localhost', NEW: 'a b#$&' })).toBe(
    "PORT=1\nHOST=localhost\nNEW='a b#$&'\n",
  );
  expect(variableLine('A', "it's")).toBe('A="it\'s"');
});

it('settings are replaced as a whole, and only their owner can read them afterwards', async () => {
  const file = join(directory, '.env');
  await writeFile(file, 'PORT=7001\n');
  await chmod(file, 0o644);
  const before = await open(file);
  await changeEnvFile(directory, { PORT: '7002' });
  expect([(await stat(file)).mode & 0o777, await readFile(file, 'utf8')]).toEqual([0o600, 'PORT=7002\n']);
  // The old file was not written, so a crash leaves one of the two.
  expect(await before.readFile('utf8')).toBe('PORT=7001\n');
  await before.close();
});

const hasScript = spawnSync('script', ['--version']).status === 0;
(hasScript ? it : it.skip)(
  'asks at a terminal, and starts the gateway (needs the program script)',
  async () => {
    const child = spawn('script', ['-qec', `${PROGRAM.join(' ')} onboard ${directory} --port ${port}`, '/dev/null'], {
      env: { ...BASE_ENV, ...env(), TERM: 'xterm', OPENAI_API_KEY: KEY },
    });
    const answers: [question: string, answer: string][] = [
      ['Directory for the files', ''],
      ['first admin key', 'none'],
      ['E-mail of the first account', ''],
      // "Other", which comes behind the providers.
      ['Which model answers', 'other'],
      ['Address of the API', server.baseUrl],
      ['Key of the server', KEY],
      ['Model', '1'],
      ['Run as a service', 'none'],
      ['Start the gateway now', ''],
    ];
    started = child;
    let seen = '';
    let place = 0;
    for await (const piece of child.stdout) {
      seen += piece;
      const [question, answer] = answers[0] ?? ['', ''];
      if (question !== '' && seen.slice(place).includes(question)) {
        place = seen.length;
        const other = /(\d+)\. Other/.exec(seen)?.[1] ?? '';
        child.stdin.write(`${answer === 'other' ? other : answer}\r`);
        answers.shift();
      }
      if (seen.includes('is ready on')) break;
    }
    expect(answers).toEqual([]);
    expect(seen).not.toContain(KEY);
    expect(await readDirectory('config', 'models.yaml')).toContain(server.baseUrl);
    child.stdin.write('\u0003');
    await endOf(child);
  },
  LIMIT_MS,
);
