/** Several gateways in one process: each has a workspace and a data directory of its own, over one store. */
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { openWorkspace } from '../../../src/adapter/local/workspace/workspace';
import { createWorkspaceTrees } from '../../../src/adapter/local/workspace/workspace_trees';
import { SnapshotSync } from '../../../src/feature/workspace_snapshots/snapshot_sync';
import { createStoredBlobs } from '../../../src/feature/workspace_snapshots/stored_blobs';
import type { BlobStore } from '../../../src/port/blob_store';
import { DEFAULT_TENANT as TENANT } from '../../../src/port/principal';
import type { TenantWorkspace } from '../../../src/port/workspaces';
import { RunFiles } from '../../../src/service/run/run_files';
import { NO_WORKSPACE_SYNC, type WorkspaceConflict } from '../../../src/service/workspace/workspace_sync';
import { contentHash } from '../../../src/utils/content_hash';
import { aRun } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

const clock = createSystemClock();
let temporary: TemporaryStore;
let home: string;
let errors: unknown[];

beforeEach(async () => {
  temporary = await openTemporaryStore();
  home = await mkdtemp(join(tmpdir(), 'neta-sync-'));
  errors = [];
});
afterEach(async () => {
  await temporary.release();
  await rm(home, { recursive: true, force: true });
});

/** Starts the gateway `name`, or starts it again with the files that it has. */
async function startNode(name: string, limits = { files: 100, bytes: 100_000 }) {
  const [root, dataDir] = [join(home, name, 'workspace'), join(home, name, 'data')];
  await mkdir(dataDir, { recursive: true });
  const workspace = await openWorkspace(root);
  // The tree uses the workspace alone.
  const trees = createWorkspaceTrees({ workspaceOf: () => ({ workspace }) as TenantWorkspace }, dataDir);
  const { store } = temporary;
  const brought: string[] = [];
  const onError = (_message: string, thrown: unknown) => errors.push(thrown);
  const stored = createStoredBlobs({ store, clock });
  // The blob of a text that contains "lost" is missing.
  const blobs: BlobStore = {
    missing: (tenantId, hashes) => stored.missing(tenantId, hashes),
    put: (tenantId, given) =>
      stored.put(
        tenantId,
        given.filter(({ bytes }) => !Buffer.from(bytes).includes('lost')),
      ),
    get: (tenantId, hash) => stored.get(tenantId, hash),
    deleteUnused: (before, isNamed) => stored.deleteUnused(before, isNamed),
  };
  const deps = { store, clock, trees, blobs, limits, onError };
  const sync = new SnapshotSync({ ...deps, onBrought: tenantId => brought.push(tenantId) });
  const at = (path: string) => join(root, path);
  return {
    sync,
    brought,
    at,
    async write(path: string, text: string) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text);
      sync.noteWrite(TENANT);
    },
    async remove(path: string) {
      await rm(at(path));
      sync.noteWrite(TENANT);
    },
    read: (path: string) => readFile(at(path), 'utf8').catch(() => undefined),
    list: async () => (await readdir(root, { recursive: true })).sort(),
    bring: () => sync.bring(TENANT, { sessionId: `ses_${name}` }),
    keep: () => sync.keep(TENANT, { sessionId: `ses_${name}` }),
  };
}

it('brings the other files when the stored text of one is missing, says so once, and heals when it is written again', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.bring();
  await a.write('bad.md', 'lost');
  await a.write('good.md', 'here');
  await a.keep();
  expect(await b.bring()).toEqual([{ path: 'bad.md', isLost: true }]);
  expect([await b.read('good.md'), await b.read('bad.md')]).toEqual(['here', undefined]);
  expect(b.sync.warnings()).toEqual([expect.stringContaining('bad.md')]);
  await a.write('more.md', 'too');
  await a.keep();
  expect([await b.bring(), await b.read('more.md')]).toEqual([[], 'too']);
  await b.write('bad.md', 'written again');
  await b.keep();
  await a.bring();
  expect([await a.read('bad.md'), b.sync.warnings()]).toEqual(['written again', []]);
});

it('brings a lost file once its text is there again', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.bring();
  await a.write('bad.md', 'lost');
  await a.keep();
  expect(await b.bring()).toEqual([{ path: 'bad.md', isLost: true }]);
  expect(await b.bring()).toEqual([]);
  const bytes = Buffer.from('lost');
  await createStoredBlobs({ store: temporary.store, clock }).put(TENANT, [{ hash: contentHash(bytes), bytes }]);
  expect([await b.bring(), await b.read('bad.md'), b.sync.warnings()]).toEqual([[], 'lost', []]);
});

it('names at most 20 lost files in a result and in the events of a run, with their number', async () => {
  const lost = Array.from({ length: 30 }, (_, i) => ({ path: `f${i}`, isLost: true as const }));
  const events: unknown[] = [];
  const files = new RunFiles({ workspaceSync: { current: { ...NO_WORKSPACE_SYNC, bring: async () => lost } }, onError: () => {} } as never);
  const writer = { append: (event: unknown) => void events.push(event) } as never;
  const result = await files.preparationOf({ ...aRun(), ordinal: 1 }, writer)?.();
  expect(JSON.stringify(result)).toContain('f19 and 10 more. Every other file');
  expect(events).toHaveLength(20);
});

it('brings written, changed and deleted files, and their folders, to another gateway', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.bring();
  await a.write('notes/deep/plan.md', 'one');
  await a.write('gone.md', 'soon');
  await a.keep();
  await b.bring();
  expect(await b.read('notes/deep/plan.md')).toBe('one');
  expect(b.brought).toEqual([TENANT]);

  await b.write('notes/deep/plan.md', 'two');
  await b.remove('gone.md');
  await b.write('new.md', 'three');
  await b.keep();
  await a.bring();
  expect(await a.read('notes/deep/plan.md')).toBe('two');
  expect(await a.read('new.md')).toBe('three');
  await a.remove('notes/deep/plan.md');
  await a.keep();
  await b.bring();
  expect(await b.list()).toEqual(['new.md']);
  expect(errors).toEqual([]);
});

it('brings modes and symlinks that stay inside, and leaves out those that lead out', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.write('run.sh', 'echo');
  await chmod(a.at('run.sh'), 0o755);
  await symlink('run.sh', a.at('link.sh'));
  await symlink('/etc/passwd', a.at('out'));
  await symlink('../../x', a.at('up'));
  await a.keep();
  await b.bring();
  expect(await b.list()).toEqual(['link.sh', 'run.sh']);
  expect((await stat(b.at('run.sh'))).mode & 0o777).toBe(0o755);
  expect(await readlink(b.at('link.sh'))).toBe('run.sh');
  await chmod(b.at('run.sh'), 0o600);
  b.sync.noteWrite();
  await b.keep();
  await a.bring();
  expect((await stat(a.at('run.sh'))).mode & 0o777).toBe(0o600);
});

it('leaves out repositories, packages and half-written files', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  for (const path of ['.git/config', 'lib/node_modules/x/index.js', '.neta/uploads/x.tmp', '.0123456789abcdef01.tmp'])
    await a.write(path, 'x');
  await a.write('.gitignore', 'kept');
  await a.write('.neta/results/ses_1/call.txt', 'a long result');
  await a.keep();
  await b.bring();
  expect(await b.list()).toEqual(['.gitignore', '.neta', '.neta/results', '.neta/results/ses_1', '.neta/results/ses_1/call.txt']);
});

it('keeps both texts of a path that two gateways wrote: the later one has the path', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  for (const node of [a, b]) await node.bring();
  await a.write('report.md', 'from a');
  await b.write('report.md', 'from b');
  expect(await a.keep()).toEqual([]);
  const [conflict] = await b.keep();
  expect(conflict).toEqual({ path: 'report.md', keptAs: expect.stringMatching(/^report\.conflict-[0-9a-f]{6}\.md$/), sessionId: 'ses_a' });
  for (const node of [a, b]) {
    await node.bring();
    expect(await node.read('report.md')).toBe('from b');
    expect(await node.read((conflict as WorkspaceConflict).keptAs)).toBe('from a');
  }
  expect(await b.list()).toHaveLength(2);
});

it('lets a change win over a deletion, and finds no conflict in equal texts', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.write('x.md', '1');
  await a.write('y.md', '1');
  await a.keep();
  await b.bring();
  await a.remove('x.md');
  await a.write('y.md', '2');
  await b.write('x.md', '2');
  await b.remove('y.md');
  await a.write('same.md', 'equal');
  await b.write('same.md', 'equal');
  await a.keep();
  expect(await b.keep()).toEqual([]);
  await a.bring();
  for (const node of [a, b])
    expect([await node.read('x.md'), await node.read('y.md'), await node.read('same.md')]).toEqual(['2', '2', 'equal']);
});

it('stores what a killed gateway left behind, and lets the text that others have stored since keep the path', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.write('report.md', 'first');
  await a.keep();
  await b.bring();
  // Written, and killed before it was stored.
  await a.write('report.md', 'left behind');
  await a.write('alone.md', 'left behind too');
  await b.write('report.md', 'newer');
  await b.keep();
  const again = await startNode('a');
  await again.sync.keepAll();
  await b.bring();
  for (const node of [again, b]) {
    expect(await node.read('report.md')).toBe('newer');
    expect(await node.read('alone.md')).toBe('left behind too');
    const kept = (await node.list()).find(name => name.startsWith('report.conflict-')) ?? '';
    expect(await node.read(kept)).toBe('left behind');
  }
});

it('fills a workspace whose disk was lost', async () => {
  const a = await startNode('a');
  await a.write('report.md', 'text');
  await a.keep();
  await rm(a.at('report.md'));
  const again = await startNode('a');
  await again.bring();
  expect(await again.read('report.md')).toBe('text');
});

it('stores the changes of gateways that write at the same time', async () => {
  const nodes = await Promise.all(['a', 'b', 'c'].map(name => startNode(name)));
  for (let round = 0; round < 3; round++) {
    await Promise.all(nodes.map((node, i) => node.write(`${i}/${round}.md`, `${i}`)));
    await Promise.all(nodes.map(node => node.keep()));
  }
  for (const node of nodes) await node.bring();
  const files = await Promise.all(nodes.map(node => node.list()));
  expect(files[0]).toHaveLength(12);
  expect(files[1]).toEqual(files[0]);
  expect(files[2]).toEqual(files[0]);
});

it('says what is too large, and stores it once there is room', async () => {
  const [a, b] = [await startNode('a', { files: 2, bytes: 10 }), await startNode('b')];
  await a.write('large.txt', 'more than ten bytes');
  await a.keep();
  expect(a.sync.warnings()).toEqual([expect.stringContaining('has 19 bytes, more than 10 (NETA_WORKSPACE_SNAPSHOT_MB)')]);
  await a.write('large.txt', 'small');
  for (const name of ['1', '2']) await a.write(name, name);
  await a.keep();
  expect(a.sync.warnings()).toEqual([expect.stringContaining('more than 2 files (NETA_WORKSPACE_SNAPSHOT_FILES)')]);
  await a.remove('1');
  await a.keep();
  expect(a.sync.warnings()).toEqual([]);
  await b.bring();
  expect(await b.list()).toEqual(['2', 'large.txt']);
});

/** Each makes the path `x` of a gateway one that cannot be replaced, and gives the way back. */
const obstacles: [string, (place: string) => Promise<unknown>, (place: string) => Promise<unknown>][] = [
  ['a folder stands there', place => rm(place).then(() => mkdir(place)), place => rm(place, { recursive: true })],
  ['the file here is too large', place => truncate(place, 33 * 1024 * 1024), place => writeFile(place, 'one')],
];

it.each(obstacles)('brings the other paths when %s, and leaves the stored file as it is', async (_name, block, unblock) => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  await a.write('x', 'one');
  await a.keep();
  await b.bring();
  await block(b.at('x'));
  await a.write('x', 'two');
  await a.write('other.md', 'brought');
  await a.keep();
  expect(await b.bring()).toEqual([]);
  expect(await b.read('other.md')).toBe('brought');
  expect(b.sync.warnings()).toEqual([expect.stringContaining('such as x: they cannot be read or replaced')]);
  // Also after a restart, the path that stays here does not count as a change.
  const again = await startNode('b');
  for (const node of [b, again]) {
    await node.write('own.md', node === b ? 'of b' : 'of b again');
    await node.keep();
    await a.bring();
    expect([await a.read('x'), await a.read('own.md')]).toEqual(['two', await node.read('own.md')]);
  }
  await unblock(again.at('x'));
  again.sync.noteWrite(TENANT);
  await again.keep();
  expect([await again.read('x'), again.sync.warnings()]).toEqual(['two', []]);
  await a.bring();
  expect(await a.list()).toEqual(['other.md', 'own.md', 'x']);
  expect(errors).toEqual([]);
});

it('brings what belongs below a file, once the file is gone', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  for (const node of [a, b]) await node.bring();
  await b.write('notes', 'a file');
  await a.write('notes/far/plan.md', 'plan');
  await a.keep();
  expect(await b.keep()).toEqual([]);
  expect(b.sync.warnings()).toEqual([expect.stringContaining('such as notes/far/plan.md')]);
  await a.bring();
  expect(await a.read('notes/far/plan.md')).toBe('plan');
  await b.remove('notes');
  await b.keep();
  expect(await b.read('notes/far/plan.md')).toBe('plan');
  expect(errors).toEqual([]);
});

it('replaces and removes a symlink that leads nowhere', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')];
  for (const name of ['x', 'y']) await symlink('gone', a.at(name));
  await a.write('z', 'text');
  await a.keep();
  await b.bring();
  await a.remove('x');
  await a.remove('y');
  await a.write('x', 'text');
  await a.keep();
  await b.bring();
  expect(await b.list()).toEqual(['x', 'z']);
  expect(await b.read('x')).toBe('text');
  expect(errors).toEqual([]);
});
