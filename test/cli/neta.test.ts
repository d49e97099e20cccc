/** The program `neta` against a gateway. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CONFIG_FILES } from '../../src/cli/config_files';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { APPROVER, type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { BASE_ENV, type Ended, ended, PROGRAM, startNeta } from '../support/neta_program';
import { until } from '../support/until';

let bench: AgentBench;

const start = (args: readonly string[], env: Record<string, string> = {}, prefix: readonly string[] = []): ChildProcess =>
  startNeta(args, { NETA_URL: bench.gateway.url, ...env }, prefix);

const neta = (...args: string[]): Promise<Ended> => ended(start(args));

beforeAll(async () => {
  bench = await startBench({ files: { 'notes.txt': 'beans\n' } });
  const { model } = bench;
  model.onTurn('read my notes', { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, 'There are beans.');
  model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'green'] } }] },
    ({ toolResults }) => `Painted: ${toolResults[0]}`,
  );
  model.onTurn('never ends', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  model.onTurn('fails', { error: { status: 400, message: 'no' } });
  model.onTurn('escape', '\u001b]0;owned\u0007red\u001b[31m');
});

afterAll(() => bench?.stop());

it('run prints the answer on stdout and the tools on stderr', async () => {
  const { code, stdout, stderr } = await neta('run', 'read', 'my', 'notes');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'There are beans.\n' });
  expect(stderr).toContain('"path":"notes.txt"');
});

it('ends quietly when the reader of stdout has read enough', async () => {
  const child = start(['run', 'read my notes']);
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', piece => (stderr += piece));
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('EPIPE') });
});

it.each<Record<string, string>>([{}, { NO_PROXY: 'internal.invalid' }, { no_proxy: 'internal.invalid' }, { NO_PROXY: '*' }])(
  'reaches a gateway on this machine directly, whatever proxy the environment names: %j',
  async direct => {
    const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', ...direct };
    expect(await ended(start(['run', 'read my notes'], proxy))).toMatchObject({ code: 0, stdout: 'There are beans.\n' });
    expect(await ended(start(['doctor'], proxy))).toMatchObject({ code: 0 });
  },
);

it('run --json prints each event on a line, and tail prints the same ones again', async () => {
  const { stdout } = await neta('run', '--json', 'read my notes');
  const events = stdout
    .trim()
    .split('\n')
    .map((line): RunEvent => JSON.parse(line));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  const tail = await neta('tail', '--json', events[0]?.runId ?? '');
  expect(tail).toEqual({ code: 0, stdout, stderr: '' });
  // A run that has ended cannot be cancelled any more.
  expect((await neta('cancel', events[0]?.runId ?? '')).stdout).toContain('completed');
});

it('run reads a task from stdin', async () => {
  const child = start(['run', '-']);
  child.stdin?.end('read my notes\n');
  expect(await ended(child)).toMatchObject({ code: 0, stdout: 'There are beans.\n' });
});

it('a question ends a run that nobody watches, with code 3 and the command that answers', async () => {
  const { code, stdout, stderr } = await neta('run', 'ask me');
  expect(code).toBe(3);
  expect(stdout).toContain('Which colour?');
  expect(stderr).toMatch(/neta run --session \S+ /);
});

it('questions, answer and cancel reach a waiting run', async () => {
  const { body } = await bench.rest.request<{ runId: string; sessionId: string }>(
    'POST',
    '/runs',
    { input: 'ask me', clarify: 'wait' },
    { prefer: 'respond-async' },
  );
  const waiting = async (): Promise<{ id: string; session: string }[]> => {
    const { stdout } = await neta('questions', '--json');
    const lines = stdout.split('\n').filter(line => line !== '');
    return lines.map(line => JSON.parse(line)).filter(({ session }) => session === body.sessionId);
  };
  const rows = await until(waiting, found => found.length > 0);
  expect(await neta('answer', rows[0]?.id ?? '', 'deep', 'blue')).toMatchObject({ code: 0, stdout: 'Answered.\n' });
  expect(await neta('tail', body.runId)).toMatchObject({ code: 0, stdout: expect.stringContaining('Painted: ') });
  expect(await neta('answer', rows[0]?.id ?? '', 'red')).toMatchObject({ code: 1, stderr: expect.stringContaining('no longer open') });
  expect(await neta('answer', 'unknown', 'red')).toMatchObject({ code: 1 });
});

it('Ctrl+C cancels the run and ends with code 130', async () => {
  const child = start(['run', 'never ends', '--json']);
  const end = ended(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  child.kill('SIGINT');
  const { code, stdout } = await end;
  expect(code).toBe(130);
  const { runId } = JSON.parse(stdout.split('\n')[0] ?? '');
  const { body } = await bench.rest.request<{ status: string }>('GET', `/runs/${runId}`);
  expect(body.status).toBe('cancelled');
});

it('exit codes: 1 for a failed run, 2 for wrong usage, 4 when nobody answers', async () => {
  expect(await neta('run', 'fails')).toMatchObject({ code: 1, stderr: expect.stringContaining('failed: ') });
  expect(await neta('run')).toMatchObject({ code: 2, stderr: expect.stringContaining('<text ...>') });
  expect(await neta('fly')).toMatchObject({ code: 2 });
  expect(await neta('sessions', '--colour')).toMatchObject({ code: 2 });
  expect(await ended(start(['sessions'], { NETA_URL: 'http://127.0.0.1:9' }))).toMatchObject({ code: 4 });
});

it('lists sessions, agents and tools as columns and as JSON, in both languages', async () => {
  expect((await neta('agents')).stdout).toMatch(/^name\s+label\s+description\ndefault/);
  expect(JSON.parse((await neta('tools', '--json', 'read_file')).stdout.split('\n')[0] ?? '')).toMatchObject({ name: 'read_file' });
  expect(await neta('sessions', 'read')).toMatchObject({ code: 0, stdout: expect.stringContaining('read my notes') });
  expect((await neta('--help', '--lang', 'zh-CN')).stdout).toContain('退出码');
  expect((await neta('jobs')).stderr).toBe('none\n');
});

it('init copies the files of a new configuration, and no other file of a checkout that is in use', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-init-'));
  try {
    expect(await neta('init', directory)).toMatchObject({ code: 0 });
    const entries = await readdir(join(directory, 'config'), { recursive: true, withFileTypes: true });
    const files = entries
      .filter(entry => entry.isFile())
      .map(entry => relative(join(directory, 'config'), join(entry.parentPath, entry.name)));
    expect(files.sort()).toEqual([...CONFIG_FILES].sort());
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('doctor tells the state and fails when the gateway is away', async () => {
  const { code, stdout } = await neta('doctor', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    checks: expect.arrayContaining([{ name: 'address', status: 'ok', message: bench.gateway.url }]),
  });
  const away = await ended(start(['doctor', '--json'], { NETA_URL: 'http://127.0.0.1:9' }));
  expect(away.code).toBe(1);
  expect(JSON.parse(away.stdout)).toMatchObject({ ok: false });
});

it('doctor checks the directories of a gateway that is down, and mends what is safe', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-doctor-'));
  const { port } = new URL(bench.gateway.url);
  const env = {
    NETA_URL: 'http://127.0.0.1:9',
    NETA_DATA_DIR: join(directory, 'data'),
    NETA_WORKSPACE: join(directory, 'workspace'),
    PORT: port,
  };
  const doctor = async (...args: string[]) => JSON.parse((await ended(start(['doctor', '--json', ...args], env))).stdout);
  try {
    const statusOf = (report: { checks: { name: string; status: string }[] }, name: string) =>
      report.checks.find(check => check.name === name)?.status;
    const before = await doctor();
    expect([before.ok, statusOf(before, 'local:dataDir'), statusOf(before, 'local:port')]).toEqual([false, 'warn', 'warn']);
    expect((await doctor('--fix')).fixed).toHaveLength(2);
    expect(statusOf(await doctor(), 'local:dataDir')).toBe('ok');
    await writeFile(join(directory, 'data', 'neta.db'), 'no database');
    expect(statusOf(await doctor(), 'local:database')).toBe('fail');
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('doctor finds the gateway by the .env of its directory, and names a setting that a start would refuse', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-doctor-'));
  const settings = ['NETA_DATA_DIR=data', 'NETA_WORKSPACE=workspace'].map(line => line.replace('=', `=${directory}/`));
  const doctor = async (...lines: string[]) => {
    await writeFile(join(directory, '.env'), [...settings, ...lines, ''].join('\n'));
    const { code, stdout } = await ended(startNeta(['doctor', '--json', directory], {}));
    const { checks }: { checks: { name: string; status: string; message: string }[] } = JSON.parse(stdout);
    return { code, checks: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
  };
  try {
    const { hostname, port } = new URL(bench.gateway.url);
    const address = { status: 'ok', message: bench.gateway.url };
    const good = await doctor(`HOST=${hostname}`, `PORT=${port}`);
    expect([good.checks['address'], good.checks['local:settings']?.status]).toEqual([address, 'ok']);
    const bad = await doctor(`PORT=${port}`, 'NETA_MAX_TOOL_ITERATIONS=many');
    expect([bad.code, bad.checks['address'], bad.checks['local:settings']?.status]).toEqual([1, address, 'fail']);
    expect(bad.checks['local:settings']?.message).toContain('NETA_MAX_TOOL_ITERATIONS');
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('finds the gateway by the .env of the directory it is in, and sends no key to another machine', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-address-'));
  const tools = async (...lines: string[]) => {
    await writeFile(join(directory, '.env'), [...lines, ''].join('\n'));
    return ended(startNeta(['tools', 'read_file'], { NETA_API_KEY: 'a-secret-of-sixteen' }, [], directory));
  };
  try {
    const { hostname, port } = new URL(bench.gateway.url);
    expect(await tools(`HOST=${hostname}`, `PORT=${port}`)).toMatchObject({ code: 0, stdout: expect.stringContaining('read_file') });
    // 192.0.2.1 is an address for documents alone.
    expect(await tools('HOST=192.0.2.1', `PORT=${port}`)).toMatchObject({ code: 0 });
    expect(await tools('PORT=9')).toMatchObject({ code: 4, stderr: expect.stringContaining('127.0.0.1:9') });
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('doctor --lang zh-CN asks the gateway for its checks too', async () => {
  const { code, stdout } = await neta('doctor', '--lang', 'zh-CN');
  expect(code).toBe(0);
  expect(stdout).toMatch(/✓ database: 完好且可写/);
  expect(stdout).toMatch(/✓ audit: \d+ 行/);
});

it('bundle writes an archive without secrets and without texts of people', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-bundle-'));
  try {
    await bench.rest.run({ input: 'read my notes' });
    const file = join(directory, 'report.tar.gz');
    const line = JSON.stringify({ time: '2026-01-01T00:00:00.000Z', level: 'info', msg: 'a line of the log' });
    await writeFile(join(directory, 'gateway.log'), `${line}\nno line of the gateway\n`);
    const env = { NETA_LOG_FILE: join(directory, 'gateway.log') };
    expect(await ended(start(['bundle', file], env))).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    const text = gunzipSync(await readFile(file)).toString();
    for (const name of ['versions.json', 'doctor.json', 'config.json', 'overview.json', 'runs.json']) expect(text).toContain(name);
    expect(text).toContain('"name": "OPENAI_API_KEY"');
    expect(text).toContain('neta_runs_total{');
    expect(text).toContain(line);
    expect(text).not.toContain('no line of the gateway');
    for (const secret of [MODEL_KEY, 'read my notes', 'There are beans']) expect(text).not.toContain(secret);
    expect(await neta('bundle', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') });
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('init writes a directory that start runs, once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-init-'));
  try {
    expect(await neta('init', directory)).toMatchObject({ code: 0 });
    expect(await neta('init', directory)).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') });
    expect((await readdir(join(directory, 'config'), { recursive: true })).filter(name => name.endsWith('.ts'))).toEqual([]);
    expect(await readFile(join(directory, '.env'), 'utf8')).toContain(`NETA_WORKSPACE=${join(directory, 'workspace')}`);
    const gateway = start(['start', directory], { PORT: '0', NETA_SANDBOX: 'none' });
    const end = ended(gateway);
    const [line] = await once(gateway.stdout as NonNullable<typeof gateway.stdout>, 'data');
    expect(String(line)).toMatch(/ready on http:/);
    gateway.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0 });
    expect(await readdir(join(directory, 'data'))).toContain('neta.db');
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('keys: makes, lists and revokes them, and never locks everybody out', async () => {
  expect(await neta('keys', 'create', 'ci')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--scopes') });
  const made = await neta('keys', 'create', 'root', '--scopes', 'chat+admin');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^neta_\S+\n$/), stderr: expect.stringContaining('only once') });
  const env = { NETA_API_KEY: made.stdout.trim() };
  const withKey = (...args: string[]) => ended(start(args, env));
  expect(await neta('keys')).toMatchObject({ code: 1, stderr: expect.stringContaining('API key') });
  const expiry = '2099-01-01T00:00:00.000Z';
  const ci = await withKey('keys', 'create', 'ci', '--tenant', 'acme', '--expires', expiry, '--json');
  const { id, secret, scopes } = JSON.parse(ci.stdout);
  expect(scopes).toEqual(['chat']);
  expect(await withKey('keys', 'create', 'x', '--scopes', 'fly')).toMatchObject({ code: 1, stderr: expect.stringContaining('/scopes') });
  expect(await withKey('keys', 'revoke')).toMatchObject({ code: 2 });
  const { stdout } = await withKey('keys');
  expect(stdout).toMatch(new RegExp(`${id} +ci +acme +chat +stored +${expiry}`));
  expect(stdout).not.toContain(secret);
  expect(await withKey('keys', 'revoke', id)).toMatchObject({ code: 0, stdout: 'Revoked.\n' });
  expect(await withKey('keys', 'revoke', id)).toMatchObject({ code: 1 });
  const rows = (await withKey('keys', 'list', '--json')).stdout.trim().split('\n');
  expect(rows.map(row => JSON.parse(row).name)).toEqual(['root']);
  // The other tests have no key.
  expect(await withKey('keys', 'revoke', JSON.parse(rows[0] ?? '').id)).toMatchObject({ code: 0 });
});

/** `script` gives the program a terminal; its output mixes stdout and stderr. */
const atTerminal = (command: string, env: Record<string, string> = {}) =>
  spawn('script', ['-qec', `${PROGRAM.join(' ')} ${command}`, '/dev/null'], {
    env: { ...BASE_ENV, NETA_URL: bench.gateway.url, TERM: 'xterm', ...env },
  });

const hasScript = spawnSync('script', ['--version']).status === 0;

(hasScript ? describe : describe.skip)('at a terminal (needs the program script)', () => {
  it('asks the person, and a number chooses', async () => {
    const child = atTerminal("run 'ask me'");
    const end = ended(child);
    let shown = '';
    await new Promise<void>(resolve =>
      child.stdout.on('data', piece => {
        shown += piece;
        if (shown.includes('or a number')) resolve();
      }),
    );
    child.stdin.write('2\n');
    const { stdout } = await end;
    expect(stdout).toMatch(/1\. red\s+2\. green/);
    expect(stdout).toMatch(/Painted: .*green/s);
  });

  it('shows no control characters of the model', async () => {
    const { stdout } = await ended(atTerminal("run 'escape'"));
    expect(stdout).not.toContain('owned\u0007');
    expect(stdout).not.toContain('\u001b[31m');
    expect(stdout).toContain('red');
  });
});

describe('a replay and a suite, which may call a model', () => {
  const END = { status: 'completed', text: 'Hi.', usage: { inputTokens: 1, outputTokens: 1 } };
  const REPLAY = { agent: 'default', recorded: END, replayed: END, requests: [], calls: [] };

  /** Starts a server in front of which no gateway stands. */
  async function listen(answer: RequestListener) {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = () => void server.close().closeAllConnections();
    return { env: { NETA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, stop };
  }

  it('are sent once when the connection breaks or the gateway is away, because each repetition costs money', async () => {
    const asked: string[] = [];
    const { env, stop } = await listen((request, response) => {
      asked.push(request.url ?? '');
      if (asked.length === 1) request.socket.destroy();
      else response.writeHead(503).end();
    });
    try {
      expect(await ended(start(['suite', 'run', 'regress'], env))).toMatchObject({ code: 4 });
      expect(await ended(start(['replay', 'run_1', '--model', 'large'], env))).toMatchObject({ code: 1 });
      expect(asked).toEqual(['/api/v1/suites/regress/run', '/api/v1/runs/run_1/replay']);
    } finally {
      stop();
    }
  });

  it('may take longer than Node waits for an answer, and the terminal says in words what differs', async () => {
    const preload = join(await mkdtemp(join(tmpdir(), 'neta-')), 'short_limit.cjs');
    const undici = require.resolve('undici');
    const limit = `const { Agent, setGlobalDispatcher } = require(${JSON.stringify(undici)});`;
    await writeFile(preload, `${limit}\nsetGlobalDispatcher(new Agent({ headersTimeout: 300 }));\n`);
    const cutShort = { ...END, status: 'incomplete' };
    const answers = [
      { ...REPLAY, result: 'different', differences: ['events'] },
      {
        ...REPLAY,
        result: 'different',
        differences: ['status', 'answer'],
        recorded: { ...cutShort, reason: 'budget' },
        replayed: { ...cutShort, reason: 'timeout' },
      },
    ];
    const { env, stop } = await listen((_request, response) => void setTimeout(() => response.end(JSON.stringify(answers.shift())), 2_500));
    try {
      const slow = { ...env, NODE_OPTIONS: `--require=${preload}` };
      const { code, stdout } = await ended(start(['replay', 'run_1'], slow));
      expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('differs: the events of the log\n') });
      const chinese = await ended(start(['replay', 'run_1', '--lang', 'zh-CN'], slow));
      expect(chinese.stdout).toContain('有差异: 结束方式, 回答\n');
      expect(chinese.stdout).toContain('incomplete (budget) -> incomplete (timeout)');
    } finally {
      stop();
    }
  });
});

describe('an approval', () => {
  let approving: ApprovalBench;
  const command = `tally \u202e ${'x'.repeat(300)}`;
  const shown = `tally <U+202E> ${'x'.repeat(300)}`;
  beforeAll(async () => {
    approving = await startApprovalBench();
    approving.model.onTurn('count it', { toolCalls: [{ name: 'bash', arguments: { command } }] }, 'Left alone.');
  });
  afterAll(() => approving?.stop());

  it('is listed by questions in full, with the characters that would hide a part of it, and decided by approve', async () => {
    const env = { NETA_URL: approving.gateway.url };
    const client = await approving.connect(APPROVER);
    const { runId } = await client.chat('count it');
    const { data } = await client.waitFor('approval_request', event => event.runId === runId);
    expect((await ended(start(['questions'], env))).stdout).toContain(shown);
    expect(await ended(start(['approve', data.requestId, 'maybe'], env))).toMatchObject({ code: 2 });
    expect(await ended(start(['approve', data.requestId, 'deny'], env))).toMatchObject({ code: 0, stdout: 'Decided.\n' });
    expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'Left alone.' });
    expect(await ended(start(['approve', data.requestId], env))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no longer open'),
    });
  });

  (hasScript ? it : it.skip)(
    'is shown in full at a terminal, before the person decides (needs the program script)',
    async () => {
      const child = atTerminal("run 'count it'", { NETA_URL: approving.gateway.url });
      const end = ended(child);
      let seen = '';
      await new Promise<void>(resolve => {
        child.stdout.on('data', piece => {
          seen += piece;
          if (seen.includes('[y/N]')) resolve();
        });
        child.once('exit', () => resolve());
      });
      child.stdin.write('n\n');
      expect((await end).stdout).toContain(shown);
    },
    30_000,
  );
});

it('hooks adds a hook and prints its address and secret, lists, pauses and deletes it', async () => {
  const made = await neta('hooks', 'add', 'deploys', 'The deploy of {{body.service}}', '--same');
  const [url = '', secret = ''] = made.stdout.split('\n');
  expect([made.code, url, secret]).toEqual([0, expect.stringContaining('/hooks/hook_'), expect.stringMatching(/^whsec_/)]);
  const id = url.split('/').at(-1) ?? '';
  expect((await neta('hooks', 'pause', id)).code).toBe(0);
  const { stdout } = await neta('hooks', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ id, session: 'same', enabled: false });
  expect(stdout).not.toContain(secret);
  expect((await neta('hooks', 'delete', id)).code).toBe(0);
  expect((await neta('hooks')).stderr).toBe('none\n');
  expect((await neta('hooks', 'add', 'only-a-name')).code).toBe(2);
});
