/**
 * `npm run bench:ops`: measures what operators wait for on a database with 1,000,000 runs: the overview, the list of runs with its filters, and a run
 * of 10,000 events. Fails when a median exceeds its limit. The store is SQLite, the only one. Option: --runs <number>.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from '../../scripts/build_if_needed.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';
import { startHost, startModel } from '../gateway/processes.mjs';
import { fillDatabase, LONG_RUN, SIZES } from '../scale/fill.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000000' } } });
const RUNS = Number(values.runs);
const REPEATS = 15;
/** The long run gets a fifth of these. */
const LONG_EVENTS = 50_000;

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
const home = makeTemporaryDirectory('neta-ops-');
const dataDir = join(home, 'data');
mkdirSync(dataDir);
const model = await startModel();
try {
  await fillDatabase({ root, dataDir, size: { ...SIZES.empty, longEvents: LONG_EVENTS, longMessages: 200 } });
  copyRuns(join(dataDir, 'neta.db'), RUNS);
  const host = await startHost({ root, dataDir, env: {} }, model.url);
  try {
    await measure(host.url);
  } finally {
    await host.stop();
  }
} finally {
  model.child.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true });
}

/** Copies the first run, one a second back from now; every hundredth one failed. */
function copyRuns(file, count) {
  const database = new DatabaseSync(file);
  const changed = {
    id: "'run_copy_' || n",
    ordinal: 'n + 10',
    created_at: '? - n * 1000',
    started_at: '? - n * 1000',
    ended_at: '? - n * 1000 + 900',
    status: "case when n % 100 = 0 then 'failed' else 'completed' end",
    events_expired: '1',
    usage_pending: '0',
  };
  const names = database
    .prepare('pragma table_info(runs)')
    .all()
    .map(({ name }) => name);
  const selected = names.map(name => changed[name] ?? name);
  const now = Date.now();
  database.exec('begin');
  database
    .prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
       insert into runs (${names.join(', ')}) select ${selected.join(', ')} from numbers, runs where runs.id = 'run_0_1'`,
    )
    .run(...selected.flatMap(expression => (expression.startsWith('?') ? [now] : [])));
  database.exec('commit');
  database.close();
}

async function measure(url) {
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
  console.log(`SQLite with ${RUNS.toLocaleString('en')} stored runs; milliseconds over HTTP, ${REPEATS} requests each\n`);
  console.log('| request | median | worst | limit |\n|---|---|---|---|');
  for (const { name, median, worst, limit } of rows) console.log(`| ${name} | ${median.toFixed(1)} | ${worst.toFixed(1)} | ${limit} |`);
}
