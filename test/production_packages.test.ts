/** Starts a built gateway with the packages that `npm ci --omit=dev` installs. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..');
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> };
/** Top-level packages that the lock file does not mark as development packages. */
const PRODUCTION = Object.entries(packages).flatMap(([path, { dev }]) =>
  /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev ? [path] : [],
);

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'neta-production-'));
  for (const part of ['bootstrap.js', 'package.json', 'scripts', 'config', 'src/main.ts'])
    await cp(join(ROOT, part), join(root, part), { recursive: true });
  for (const path of PRODUCTION) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(join(ROOT, path), join(root, path)).catch(() => {});
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  PORT: '0',
  NETA_DATA_DIR: join(root, 'data'),
  NETA_WORKSPACE: join(root, 'workspace'),
});

it.each(['scripts/start.mjs', 'bootstrap.js'])('%s fails without a build and says how to make one', async script => {
  const started = promisify(execFile)(process.execPath, [script], { cwd: root, env: environment() });
  await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^neta-gateway is not built.*npm run build/s) });
});

describe('with a copied build', () => {
  let child: ChildProcess | undefined;
  const compileCache = () => join(root, 'dist/compile_cache');
  beforeAll(() => cp(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true }));
  beforeEach(() => rm(compileCache(), { recursive: true, force: true }));
  afterEach(() => child?.kill('SIGKILL'));

  async function expectReady(script: string): Promise<ChildProcess> {
    child = spawn(process.execPath, [script], { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
    const url = /ready on (\S+)/.exec(line.toString())?.[1];
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    return child;
  }

  it.each(['scripts/start.mjs', 'bootstrap.js'])('%s starts the gateway without development packages', async script => {
    await expectReady(script);
  });

  it('keeps compiled code beside the build when it stops', async () => {
    const gateway = await expectReady('bootstrap.js');
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
    expect(await readdir(compileCache())).not.toEqual([]);
  });

  it('starts when compiled code cannot be kept', async () => {
    await writeFile(compileCache(), 'a file in the place of the directory');
    await expectReady('bootstrap.js');
  });
});
