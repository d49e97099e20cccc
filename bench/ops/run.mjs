/**
 * `npm run bench:ops`: measures what operators wait for on a database with 1,000,000 runs: the overview, the list of runs with its filters, and a run
 * of 10,000 events. Fails when a median exceeds its limit. Options: --runs <number>; --store sqlite or postgres, both without it.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from '../../scripts/build_if_needed.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';
import { startHost, startModel } from '../gateway/processes.mjs';
import { fillDatabase, LONG_RUN, SIZES } from '../scale/fill.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000000' }, store: { type: 'string' } } });
const RUNS = Number(values.runs);
const REPEATS = 15;
/** The long run gets a fifth of these. */
const SIZE = { ...SIZES.empty, longEvents: 50_000, longMessages: 200 };

/** Milliseconds. */
const LIMITS = {
  'GET /ops/overview': ['/ops/overview', 100],
  'GET /ops/runs': ['/ops/runs', 100],
  'GET /ops/runs?status=failed': ['/ops/runs?status=failed', 100],
  'GET /ops/runs?agent=nobody (no run passes)': ['/ops/runs?agent=nobody', 100],
  'GET /ops/runs?q=<id>': ['/ops/runs?q=run_0_1', 100],
  'GET /ops/runs/<id> of 10,000 events': [`/ops/runs/${LONG_RUN}`, 300],
};

buildIfNeeded();
const model = await startModel();
try {
  if (values.store !== 'postgres') await benchSqlite();
  if (values.store !== 'sqlite') await benchPostgres();
} finally {
  model.child.kill('SIGTERM');
}

async function benchSqlite() {
  await withDataDirectory(async dataDir => {
    await fillDatabase({ root, dataDir, size: SIZE });
    copyInSqlite(join(dataDir, 'neta.db'));
    await measureHost('SQLite', dataDir, {});
  });
}

/** DATABASE_URL_TEST names a server to use instead of the one that npm brings. */
async function benchPostgres() {
  const require = createRequire(import.meta.url);
  require('../../test/support/typescript_hook.cjs');
  const { startPostgres, query } = require('../../test/support/postgres_server.ts');
  const server = await startPostgres();
  try {
    await withDataDirectory(async dataDir => {
      const databaseUrl = await server.createDatabase();
      await fillDatabase({ root, dataDir, databaseUrl, size: SIZE });
      const columns = await query(databaseUrl, "select column_name as name from information_schema.columns where table_name = 'runs'");
      await query(
        databaseUrl,
        copyStatement(
          columns.map(({ name }) => name),
          `generate_series(1, ${RUNS}) as numbers (n)`,
        ),
      );
      await query(databaseUrl, 'vacuum analyze');
      await measureHost('Postgres', dataDir, { DATABASE_URL: databaseUrl });
    });
  } finally {
    await server.stop();
  }
}

async function withDataDirectory(use) {
  const home = makeTemporaryDirectory('neta-ops-');
  const dataDir = join(home, 'data');
  mkdirSync(dataDir);
  try {
    await use(dataDir);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measureHost(store, dataDir, env) {
  const host = await startHost({ root, dataDir, env }, model.url);
  try {
    await measure(store, host.url);
  } finally {
    await host.stop();
  }
}

/** The statement that copies the first run, one a second back from now; every hundredth one failed. */
function copyStatement(names, numbers) {
  const now = Date.now();
  const changed = {
    id: "'run_copy_' || n",
    ordinal: 'n + 10',
    created_at: `${now} - n * 1000`,
    started_at: `${now} - n * 1000`,
    ended_at: `${now} - n * 1000 + 900`,
    status: "case when n % 100 = 0 then 'failed' else 'completed' end",
    events_expired: '1',
    usage_pending: '0',
  };
  const selected = names.map(name => changed[name] ?? name);
  return `insert into runs (${names.join(', ')}) select ${selected.join(', ')} from ${numbers}, runs where runs.id = 'run_0_1'`;
}

function copyInSqlite(file) {
  const database = new DatabaseSync(file);
  const names = database
    .prepare('pragma table_info(runs)')
    .all()
    .map(({ name }) => name);
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${RUNS})`;
  database.exec(`begin; ${numbers} ${copyStatement(names, 'numbers')}; commit`);
  database.close();
}

async function measure(store, url) {
  const rows = [];
  for (const [name, [path, limit]] of Object.entries(LIMITS)) {
    const times = [];
    for (let i = 0; i < REPEATS; i += 1) {
      const before = performance.now();
      const response = await fetch(`${url}/api/v1${path}`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
      times.push(performance.now() - before);
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(REPEATS / 2)];
    rows.push({ name, median, worst: Math.max(...times), limit });
    if (median > limit) process.exitCode = 1;
  }
  console.log(`\n${store} with ${RUNS.toLocaleString('en')} stored runs; milliseconds over HTTP, ${REPEATS} requests each\n`);
  console.log('| request | median | worst | limit |\n|---|---|---|---|');
  for (const { name, median, worst, limit } of rows) console.log(`| ${name} | ${median.toFixed(1)} | ${worst.toFixed(1)} | ${limit} |`);
}
