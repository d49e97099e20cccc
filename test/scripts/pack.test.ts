/** `npm run pack`, and the package as a person installs it: without a registry, into an empty prefix, started in an empty folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openStore } from '../../src/adapter/open_store';
import { type ContainerOptions, hasSeccomp, noContainer, readStart, startContainer } from '../support/container';
import { freePort } from '../support/free_port';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../support/postgres_server';
import { STORE_PARTS } from '../support/store_parts';

const ROOT = join(__dirname, '../..');
const { version: VERSION }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** MB on disk; 35 when this was written. npm adds blocks of the file system: 43 by `du`. */
const MAX_MB = 38;
const MAX_PACKAGES = 60;
/** Seconds of processor time from the start to a ready gateway, with an empty compile cache; 1.4 on a quiet machine. */
const MAX_START_SECONDS = 3;
/** Units of time in /proc a second. */
const TICKS = 100;

const run = promisify(execFile);
const path = `${join(process.execPath, '..')}:${process.env['PATH']}`;

let home: string;
let prefix: string;
let installed: string;
const bin = (name: string) => join(prefix, 'bin', name);

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-pack-'));
  prefix = join(home, 'prefix');
  installed = join(prefix, 'lib/node_modules/neta-gateway');
  await mkdir(prefix);
  await run(process.execPath, ['scripts/pack.mjs', home], { cwd: ROOT });
  const archives = readdirSync(home).filter(name => name.endsWith('.tgz'));
  expect(archives).toEqual([expect.stringMatching(/^neta-client-/), expect.stringMatching(/^neta-gateway-/)]);
  // An empty cache and no network: npm may use the archives alone.
  const env = { PATH: path, npm_config_cache: join(home, 'cache'), npm_config_prefix: prefix };
  await run('npm', ['install', '--global', '--offline', ...archives.map(name => join(home, name))], { cwd: home, env });
}, 300_000);
afterAll(() => rm(home, { recursive: true, force: true }));

it('is small, and holds no sources and nothing of development', async () => {
  const files = filesBelow(installed);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6).toBeLessThan(MAX_MB);
  const { stdout } = await run('npm', ['ls', '--global', '--all', '--parseable'], { env: { PATH: path, npm_config_prefix: prefix } });
  expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(MAX_PACKAGES);
  expect(files.filter(file => /(?<!\.d)\.ts$|\.map$|\.test\.js$/.test(file))).toEqual([]);
});

it('lists the licence of each bundled package', () => {
  const text = readFileSync(join(installed, 'THIRD_PARTY_LICENSES'), 'utf8');
  for (const name of ['@midwayjs/core', 'openai', 'preact', 'only'])
    expect(text).toMatch(new RegExp(`^## ${name} \\S+\n\nLicence: \\S`, 'm'));
});

it('brings each package that it imports, with the names that it imports', async () => {
  const own = filesBelow(installed).filter(file => /\.[cm]?js$/.test(file) && !/dist\/(?:node_modules|web)\//.test(file));
  const imports = own.flatMap(file => [
    ...readFileSync(file, 'utf8').matchAll(/(?:const \{([^}]+)\} = )?(await import|require)\(['"]([^'".][^'"]*)['"]\)/g),
  ]);
  const wanted = imports
    .filter(([, , , name = '']) => !isBuiltin(name) && name !== 'neta_tool')
    .map(([, names = '', kind, name]) => ({ kind, name, names: [...names.matchAll(/(\w+)(?:: \w+)?/g)].map(([, key]) => key) }));
  expect(wanted.length).toBeGreaterThan(60);
  const script = `import { createRequire } from 'node:module';
const require = createRequire(process.cwd() + '/x.js');
for (const { kind, name, names } of ${JSON.stringify(wanted)}) {
  if (!require.resolve(name).startsWith(process.cwd())) console.log(name, 'is outside');
  const found = kind === 'require' ? require(name) : await import(name);
  for (const key of names) if (!(key in found)) console.log(name, 'has no', key);
}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: join(installed, 'dist') });
  expect(stdout).toBe('');
});

it('gives programs the types of its tools', async () => {
  const folder = join(home, 'program');
  await mkdir(folder);
  const program = `import { defineTool, type Static, ToolRegistry, Type, textResult } from 'neta-gateway/tools';
const parameters = Type.Object({ name: Type.String() });
export const greet = defineTool({ name: 'greet', toolset: 'own', label: 'greet', description: 'Greets.', effect: 'read', parameters,
  execute: async ({ name }: Static<typeof parameters>) => textResult(name.toUpperCase()) });
export const wrong: number = new ToolRegistry();
`;
  await writeFile(join(folder, 'program.mts'), program);
  const compilerOptions = {
    module: 'node20',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths: { 'neta-gateway/tools': [`${installed}/dist/types/src/tool_kit.d.ts`] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
  const compiled = run(process.execPath, [join(ROOT, 'node_modules/typescript-native/bin/tsc'), '-p', folder]).catch(error => error);
  expect((await compiled).stdout).toMatch(/^\S+program\.mts\(5,14\): error TS2322[^\n]*\n$/);
});

describe('in an empty folder', () => {
  let folder: string;
  let supervisor: ChildProcess;
  let url: string;
  const neta = (...args: string[]) => run(bin('neta'), args, { cwd: folder, env: { PATH: path } });
  const pidOfGateway = () => Number(readFileSync(`/proc/${supervisor.pid}/task/${supervisor.pid}/children`, 'utf8').trim());

  beforeAll(async () => {
    folder = await mkdtemp(join(home, 'folder-'));
    await writeFile(join(folder, '.env'), `PORT=${await freePort()}\n`);
    supervisor = spawn(bin('neta-gateway'), { cwd: folder, env: { PATH: path }, stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(supervisor.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
    url = /ready on (\S+)/.exec(line.toString())?.[1] ?? '';
  }, 120_000);
  afterAll(() => supervisor.kill('SIGKILL'));

  it('starts quickly, with its settings, data and workspace in the folder', () => {
    const [, , , ...fields] = readFileSync(`/proc/${pidOfGateway()}/stat`, 'utf8')
      .replace(/^.*\) /, '0 0 ')
      .split(' ');
    // User and system time are fields 14 and 15 of proc(5); the line above starts at field 4.
    expect((Number(fields[10]) + Number(fields[11])) / TICKS).toBeLessThan(MAX_START_SECONDS);
    expect(readdirSync(folder).sort()).toEqual(['.env', 'config', 'data', 'versions', 'workspace']);
    expect(existsSync(join(folder, 'config/agents/default.yaml'))).toBe(true);
  });

  it('chats, and shows the pages', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/runs`, { method: 'POST', headers, body: JSON.stringify({ input: 'hello' }) });
    expect(await answer.json()).toMatchObject({ status: 'completed', text: expect.stringContaining('I am the demo') });
    const page = await (await fetch(url)).text();
    const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(`${url}/${script}`)).status).toBe(200);
  });

  it('serves its command line, as neta and as neta-gateway', async () => {
    for (const name of ['neta', 'neta-gateway']) {
      const { stdout } = await run(bin(name), ['doctor', '--json', '--url', url], { cwd: folder, env: { PATH: path } });
      expect(JSON.parse(stdout)).toMatchObject({
        ok: true,
        checks: expect.arrayContaining([expect.objectContaining({ message: join(folder, 'data') })]),
      });
    }
  });

  it('doctor of a folder is a command of the version that this folder runs', async () => {
    const other = await mkdtemp(join(home, 'folder-'));
    await writeFile(join(other, '.env'), '');
    const program = join(other, 'versions/9.9.9/dist/src/cli');
    await mkdir(program, { recursive: true });
    await writeFile(join(other, 'versions/current.json'), JSON.stringify({ version: '9.9.9', installed: VERSION }));
    await writeFile(join(program, 'neta.js'), "exports.main = async args => console.log('9.9.9', ...args);");
    expect((await neta('doctor', '--json', other)).stdout).toBe(`9.9.9 doctor --json ${other}\n`);
  });

  describe('an update', () => {
    const version = async () => ((await (await fetch(`${url}/api/v1/info`)).json()) as { version: string }).version;
    const countRuns = async () => ((await (await fetch(`${url}/api/v1/runs`)).json()) as { data: unknown[] }).data.length;

    /** The package with another version, and with this code at the beginning of its bootstrap.js. Both take the place of text of equal length. */
    async function makeCandidate(number: string, code = ''): Promise<string> {
      const tar = gunzipSync(readFileSync(join(home, `neta-gateway-${VERSION}.tgz`))).toString('latin1');
      const comment = /(?<=\0)\/\* Starts the built gateway\.[^*]+\*\//.exec(tar)?.[0] ?? '';
      expect(comment.length).toBeGreaterThan(code.length);
      const changed = tar
        .replace(comment, () => code.padEnd(comment.length))
        .replaceAll(`"version": "${VERSION}"`, `"version": "${number}"`);
      const file = join(folder, `neta-gateway-${number}.tgz`);
      await writeFile(file, gzipSync(Buffer.from(changed, 'latin1'), { level: 1 }));
      return file;
    }

    it('refuses a gateway that runs without a supervisor, and a second update at once', async () => {
      const other = await mkdtemp(join(home, 'folder-'));
      await writeFile(join(other, '.env'), `PORT=${new URL(url).port}\n`);
      const [alone, ...both] = await Promise.all([
        run(bin('neta'), ['update'], { cwd: other, env: { PATH: path } }).catch(thrown => thrown.stderr),
        ...[1, 2].map(() => neta('update', '--to', join(home, 'absent.tgz')).catch(thrown => thrown.stderr)),
      ]);
      expect(alone).toContain('runs here without its supervisor');
      expect(both).toContainEqual(expect.stringContaining('Another update of this folder runs'));
    });

    it('changes nothing when the new version does not start on a copy of the data', async () => {
      const update = neta('update', '--json', '--to', await makeCandidate('0.7.1', 'process.exit(9)'));
      const { code, stdout } = await update.catch(thrown => thrown);
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({
        code: 1,
        result: 'blocked',
        findings: [{ kind: 'blocks', detail: '(exit 9)' }],
      });
      expect(await version()).toBe(VERSION);
    }, 60_000);

    it('goes back when the new version ends soon after the switch', async () => {
      const mortal = await makeCandidate('0.7.2', 'if (!process.env.NETA_REHEARSAL) setTimeout(function () { process.exit(7) }, 3000)');
      const { code, stdout } = await neta('update', '--json', '--to', mortal).catch(thrown => thrown);
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, result: 'went_back', findings: [] });
      expect(await version()).toBe(VERSION);
    }, 90_000);

    it('backs up, replays runs, switches, and can be rolled back', async () => {
      const runs = await countRuns();
      const { stdout } = await neta('update', '--json', '--watch', '2', '--to', await makeCandidate('0.7.3'));
      const report = JSON.parse(stdout);
      expect(report).toMatchObject({ version: '0.7.3', result: 'switched', replayed: runs, findings: [] });
      expect(existsSync(report.backup)).toBe(true);
      expect([await version(), await countRuns()]).toEqual(['0.7.3', runs]);
      expect(readdirSync(join(folder, 'versions')).sort()).toEqual(['0.7.3', 'current.json', 'running.json']);
      // The same version again: the code of the running gateway stays in its place.
      const { ino } = statSync(join(folder, 'versions/0.7.3'));
      expect((await neta('update', '--to', await makeCandidate('0.7.3'))).stdout).toContain('runs this version already: 0.7.3');
      expect(statSync(join(folder, 'versions/0.7.3')).ino).toBe(ino);
      await neta('rollback', '--watch', '1');
      expect([await version(), await countRuns()]).toEqual([VERSION, runs]);
    }, 90_000);

    describeWithPostgres('on Postgres', () => {
      let server: PostgresServer;
      let databaseUrl: string;
      beforeAll(async () => {
        server = await startPostgres();
        databaseUrl = await server.createDatabase();
        await (await openStore({ dataDir: join(home, 'postgres'), databaseUrl }, STORE_PARTS)).close();
      });
      afterAll(() => server?.stop());

      const rehearse = async (candidate: string, url = databaseUrl) => {
        const site = await mkdtemp(join(home, 'site-'));
        await writeFile(join(site, '.env'), `PORT=${await freePort()}\nDATABASE_URL=${url}\n`);
        await mkdir(join(site, 'config'));
        await cp(join(installed, 'config'), join(site, 'config'), { recursive: true });
        const update = run(bin('neta'), ['update', '--check', '--json', '--to', candidate], { cwd: site, env: { PATH: path } });
        const { stdout, stderr } = await update.catch(thrown => thrown);
        return stdout === '' ? stderr : JSON.parse(stdout);
      };
      const leftOver = () => query(databaseUrl, "select datname from pg_database where datname like 'neta\\_rehearsal\\_%'");

      it('rehearses in a database of its own, and drops it', async () => {
        expect(await rehearse(await makeCandidate('0.7.4'))).toMatchObject({ result: 'rehearsed', store: 'postgres', findings: [] });
        expect(await leftOver()).toEqual([]);
      }, 90_000);

      it('ends when the new version does not start on that database, which is dropped', async () => {
        const candidate = await makeCandidate('0.7.5', 'if(/_rehearsal_/.test(process.env.DATABASE_URL))process.exit(9)');
        const blocked = { result: 'blocked', store: 'postgres', findings: [{ kind: 'blocks', detail: '(exit 9)' }] };
        expect(await rehearse(candidate)).toMatchObject(blocked);
        expect(await leftOver()).toEqual([]);
      }, 90_000);

      it('says that it rehearses on SQLite when the user may not create databases', async () => {
        const grants = ['all on all tables in schema public', 'all on all sequences in schema public', 'all on schema public'];
        await query(databaseUrl, ['create role visitor login', ...grants.map(grant => `grant ${grant} to visitor`)].join('; '));
        const url = Object.assign(new URL(databaseUrl), { username: 'visitor' }).href;
        expect(await rehearse(await makeCandidate('0.7.6'), url)).toMatchObject({
          result: 'rehearsed',
          store: 'sqlite',
          findings: [
            { kind: 'shown', what: { en: expect.stringContaining('was not tried') }, detail: expect.stringMatching(/permission denied/) },
          ],
        });
      }, 90_000);
    });
  });

  it('stops its gateway when it is told to, and ends as the gateway does', async () => {
    const gateway = pidOfGateway();
    supervisor.kill('SIGTERM');
    await once(supervisor, 'exit');
    expect(supervisor.exitCode).toBe(0);
    expect(existsSync(`/proc/${gateway}`)).toBe(false);
  });
});

const port = String(20_000 + (process.pid % 10_000));

(noContainer === undefined ? describe : describe.skip)(
  `as an image, started as a container would be (${noContainer ?? 'bubblewrap stands for Docker'})`,
  () => {
    let files: string;
    let secrets: string;
    let container: ChildProcess;
    const KEY = 'choose-a-long-secret';
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const address = `http://127.0.0.1:${port}`;
    const readJson = async (place: string, init: RequestInit = {}) => (await fetch(address + place, { headers, ...init })).json();
    const start = (options: Partial<ContainerOptions>, more: Record<string, string> = {}) => {
      const env = { PORT: port, NETA_ORIGINS: address, NETA_API_KEYS_FILE: '/run/secrets/api_keys', NETA_LOG: 'text', ...more };
      container = startContainer({ files, secrets, env, ...options });
      return readStart(container);
    };
    const stop = async () => {
      container.kill('SIGKILL');
      await once(container, 'exit');
    };

    beforeAll(async () => {
      files = join(home, 'image');
      secrets = join(home, 'secrets');
      await mkdir(secrets);
      await writeFile(join(secrets, 'api_keys'), `admin:${KEY}:default:chat+tools+admin`);
      await run('sh', [join(ROOT, 'deploy/image/build.sh'), home, files], { env: { PATH: path, npm_config_cache: join(home, 'cache') } });
      await chmod(home, 0o755);
    }, 120_000);
    afterEach(stop);

    const profile = hasSeccomp ? 'below the seccomp profile' : 'without the seccomp profile, which needs python3-seccomp';
    it(`chats and keeps its sandbox, and writes below /data alone (${profile})`, async () => {
      const text = await start({ seccompFile: join(home, 'seccomp.bpf') });
      expect(text).toMatch(/commands run in a sandbox \(bubblewrap|namespaces\)/);
      const health = join(files, 'usr/local/share/neta-gateway/healthcheck.mjs');
      await run(process.execPath, [health], { env: { PORT: port } });
      await expect(run(process.execPath, [health], { env: { PORT: '9' } })).rejects.toMatchObject({ code: 1 });
      expect(await readJson('/api/v1/runs', { method: 'POST', body: JSON.stringify({ input: 'hello' }) })).toMatchObject({
        status: 'completed',
      });
      const call = { toolName: 'bash', parameters: { command: 'touch /usr/x; ls /data; echo done' } };
      const called = JSON.stringify(await readJson('/api/v1/tools/call', { method: 'POST', body: JSON.stringify(call) }));
      expect(called).toMatch(/cannot touch '\/usr\/x': Read-only file system.*workspace.*done/);
      expect(called).not.toContain('config');
      expect(readdirSync(join(files, 'data')).sort()).toEqual(['config', 'data', 'versions', 'workspace']);
      expect(statSync(join(files, 'data/data/neta.db')).uid).toBe(65_534);
    });

    it('says in plain words why there is no sandbox where the container covers /proc', async () => {
      const text = await start({ isProcCovered: true }, { KUBERNETES_SERVICE_HOST: '10.0.0.1' });
      expect(text).toMatch(
        /No sandbox works here .*Can't mount proc.*The container forbids namespaces: start it with deploy\/seccomp\/neta-gateway\.json/,
      );
      expect((await readJson('/readyz')).sandbox).toMatchObject({
        kind: 'none',
        problem: expect.stringContaining('docs/guides/containers.md'),
      });
    });
  },
);

describe('with a Node that is too old', () => {
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    const old = join(home, 'old_node.cjs');
    await writeFile(old, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    env = { PATH: path, NODE_OPTIONS: `--require ${old}` };
  });

  it('says in one line what to do', async () => {
    const started = run(bin('neta-gateway'), { env, cwd: home });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^neta-gateway needs Node 24 .*--include=optional.*\n$/),
    });
  });

  it('uses the Node that npm brought with --include=optional', async () => {
    // Stands for npm, which needs the registry for this.
    const npm = join(home, 'npm.cjs');
    const brought = '#!/bin/sh\\necho brought $1\\n';
    await writeFile(
      npm,
      `const [, spec] = process.argv.slice(2);
const prefix = process.argv[process.argv.indexOf('--prefix') + 1];
const place = prefix + '/node_modules/' + spec.slice(0, spec.lastIndexOf('@'));
const fs = require('fs');
fs.mkdirSync(place + '/bin', { recursive: true });
fs.writeFileSync(place + '/LICENSE', '');
fs.writeFileSync(place + '/bin/node', '${brought}', { mode: 0o755 });`,
    );
    const install = (include: string) =>
      run(process.execPath, [join(installed, 'bin/install_node.cjs')], {
        env: { PATH: path, npm_execpath: npm, npm_config_include: include },
      });
    await install('');
    expect(existsSync(join(installed, 'node'))).toBe(false);
    await install('optional');
    expect((await run(bin('neta-gateway'), { env, cwd: home })).stdout).toMatch(/^brought \S+bin\/start\.mjs\n$/);
    expect(readdirSync(installed).filter(name => name.startsWith('node-'))).toEqual([]);
  });
});
