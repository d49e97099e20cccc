/** A start that fails prints one sentence and exits with 1. test/config/settings.test.ts tests each setting. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAndFail } from '../support/gateway';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-start-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

const base = () => ({ PORT: '0', NETA_DATA_DIR: join(home, 'data'), NETA_WORKSPACE: join(home, 'workspace') });

/** Starts with these settings and expects exit code 1 and one line without a stack that says `sentence`. */
async function expectRefusal(env: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, output } = await startAndFail({ ...base(), ...env });
  expect(output).toMatch(sentence);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}

async function agentDirectory(name: string, files: Record<string, string>): Promise<string> {
  const directory = join(home, name);
  await mkdir(join(directory, 'agents'), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, 'agents', file), text);
  return directory;
}

it('refuses a port that another program uses', async () => {
  const other = createServer();
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = other.address() as AddressInfo;
    await expectRefusal({ PORT: String(port) }, new RegExp(`Port ${port} is in use: .*PORT`));
  } finally {
    other.close();
  }
});

it('says why it cannot start in a JSON line when its log is JSON', async () => {
  const { output } = await startAndFail({ ...base(), NETA_LOG: 'json', HOST: '0.0.0.0' });
  const msg = expect.stringMatching(/^neta-gateway cannot start: HOST=0\.0\.0\.0 /);
  expect(JSON.parse(output)).toEqual({ time: expect.any(String), level: 'error', msg });
});

it('refuses a setting that is not allowed', async () => {
  await expectRefusal({ HOST: '0.0.0.0' }, /HOST=0\.0\.0\.0 is not a loopback address.*set NETA_API_KEYS and NETA_ORIGINS/);
  const keys = 'ci:0123456789abcdef';
  await expectRefusal({ HOST: '0.0.0.0', NETA_API_KEYS: keys }, /set NETA_ORIGINS, or use HOST=127\.0\.0\.1/);
});

it('refuses failpoints in production', async () => {
  await expectRefusal({ NODE_ENV: 'production', NETA_DEBUG_POINTS: 'run_end=crash' }, /NETA_DEBUG_POINTS arms failpoints/);
});

it('refuses a sandbox that does not work here, or is not offered', async () => {
  for (const kind of ['bubblewrap', 'namespaces']) {
    // PATH leads to an empty directory.
    const sentence = new RegExp(`NETA_SANDBOX=${kind} does not work on this machine: the program .* is not installed\\.$`, 'm');
    await expectRefusal({ PATH: home, NETA_SANDBOX: kind }, sentence);
  }
  await expectRefusal({ NETA_SANDBOX: 'landlock' }, /NETA_SANDBOX=landlock is not offered .*use auto, bubblewrap, namespaces or none\./);
});

it('refuses a data directory that is a file', async () => {
  await writeFile(join(home, 'file'), '');
  await expectRefusal({ NETA_DATA_DIR: join(home, 'file') }, /file/);
});

it('refuses an agent profile with an unknown field', async () => {
  const directory = await agentDirectory('bad', { 'default.yaml': 'name: default\ntoolsets: [base]\ntemperatur: 1\n' });
  await expectRefusal({ NETA_CONFIG_DIR: directory }, /agents\/default\.yaml: \/temperatur: there is no field temperatur \(line 3\)/);
});

it.each([
  ['toolset', 'toolsets: [bsae]', /agents\/default\.yaml: \/toolsets\/0: there is no toolset "bsae"; choose from base, .* \(line 2\)/],
  ['tool', 'tools: [calculater]', /agents\/default\.yaml: \/tools\/0: there is no tool "calculater" \(line 2\)/],
])('refuses an agent profile that names an unknown %s', async (what, line, sentence) => {
  const directory = await agentDirectory(what, { 'default.yaml': `name: default\n${line}\n` });
  await expectRefusal({ NETA_CONFIG_DIR: directory }, sentence);
});

it('refuses a key of models.yaml that no header can hold, and names the model and the variable', async () => {
  const directory = await agentDirectory('keys', { 'default.yaml': 'name: default\n' });
  const model = '{ id: paid, baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: PAID_KEY, model: large }';
  await writeFile(join(directory, 'models.yaml'), `models:\n  - ${model}\n`);
  await expectRefusal(
    { NETA_CONFIG_DIR: directory, PAID_KEY: 'sk-密钥' },
    /PAID_KEY, the key of the model paid in models\.yaml, has the character U\+5BC6 at position 4, which no key has: copy the key again\.$/m,
  );
});
