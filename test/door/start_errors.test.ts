/** What hinders the start is told in one clear sentence, and ends the process. */
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

it('a port that another program uses', async () => {
  const other = createServer();
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = other.address() as AddressInfo;
    await expectRefusal({ PORT: String(port) }, new RegExp(`Port ${port} is in use: .*PORT`));
  } finally {
    other.close();
  }
});

it.each([
  ['a port that is no number', { PORT: 'http' }, /PORT=http must be a whole number from 0 to 65535\./],
  ['an address that others could reach, without authentication', { HOST: '0.0.0.0' }, /HOST=0\.0\.0\.0 is not a loopback address/],
  ['a model address that is none', { OPENAI_BASE_URL: 'localhost' }, /OPENAI_BASE_URL must be an http or https address/],
  ['a limit out of range', { NETA_MAX_TOOL_ITERATIONS: '0' }, /NETA_MAX_TOOL_ITERATIONS=0 must be a whole number from 1 to 1000\./],
  ['an unknown language', { NETA_LOCALE: 'xx' }, /NETA_LOCALE=xx must be one of en, zh-CN\./],
  ['a config directory that is not there', { NETA_CONFIG_DIR: '/nowhere' }, /NETA_CONFIG_DIR: there is no directory \/nowhere\./],
])('%s', async (_what, env, sentence) => {
  await expectRefusal(env, sentence);
});

it('a data directory that is a file', async () => {
  await writeFile(join(home, 'file'), '');
  await expectRefusal({ NETA_DATA_DIR: join(home, 'file') }, /file/);
});

it('an agent profile that names an unknown setting', async () => {
  const directory = await agentDirectory('bad', { 'default.yaml': 'name: default\ntoolsets: [base]\ntemperatur: 1\n' });
  await expectRefusal({ NETA_CONFIG_DIR: directory }, /agents\/default\.yaml: \/temperatur/);
});

it('agent profiles without a default one', async () => {
  await expectRefusal({ NETA_CONFIG_DIR: await agentDirectory('none', {}) }, /an agent profile named "default" is needed/);
});
