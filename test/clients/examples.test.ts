/** The examples of clients/examples against a gateway, each where its language is there. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { type AgentBench, startBench } from '../support/agent_bench';

const EXAMPLES = join(__dirname, '../../clients/examples');
const CLIENT = join(__dirname, '../../clients/typescript');

let bench: AgentBench;
let directory: string;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('say "hello"\tto me', 'hello from the agent');
  bench.model.onTurn('fail now', { error: { status: 400, message: 'no' } });
  directory = await mkdtemp(join(tmpdir(), 'neta-examples-'));
});

afterAll(async () => {
  await bench?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function run(program: string, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const child: ChildProcess = spawn(program, args, {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', HOME: directory, NETA_URL: bench.gateway.url },
  });
  let stdout = '';
  child.stdout?.on('data', piece => {
    stdout += piece;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout };
}

/** Builds @neta/client into a directory where the example finds it. */
async function installClient(): Promise<void> {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(require.resolve('typescript-native/package.json'), '../bin/tsc'), '-p', CLIENT, '--outDir', join(directory, 'client/dist')],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stdout);
  await writeFile(join(directory, 'client/package.json'), JSON.stringify({ name: '@neta/client', main: 'dist/index.js' }));
  await mkdir(join(directory, 'node_modules/@neta'), { recursive: true });
  await symlink(join(directory, 'client'), join(directory, 'node_modules/@neta/client'));
  const source = ts.sys.readFile(join(EXAMPLES, 'ask.ts')) ?? '';
  await writeFile(join(directory, 'ask.mts'), source);
}

const isThere = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const LANGUAGES: [name: string, isThere: boolean, command: readonly string[]][] = [
  ['Python', isThere('python3', '--version'), ['python3', join(EXAMPLES, 'ask.py')]],
  ['curl', isThere('curl', '--version'), ['sh', join(EXAMPLES, 'ask.sh')]],
  ['TypeScript', true, [process.execPath, 'ask.mts']],
  ['Java', isThere('java', '-version'), ['java', join(EXAMPLES, 'Ask.java')]],
  ['Go', isThere('go', 'version'), ['go', 'run', join(EXAMPLES, 'ask.go')]],
];

describe.each(LANGUAGES)('the example in %s', (name, isInstalled, [program = '', ...args]) => {
  const check = isInstalled ? it : it.skip;

  check(
    `prints the answer, and fails with a failed run${isInstalled ? '' : ' (this machine has no such language)'}`,
    async () => {
      if (name === 'TypeScript') await installClient();
      const good = await run(program, ...args, 'say "hello"\tto me');
      expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('hello from the agent') });
      expect(await run(program, ...args, 'fail now')).toMatchObject({ code: 1 });
    },
    60_000,
  );
});
