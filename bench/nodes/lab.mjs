/** What the parts of the bench share: Postgres, the model server, gateways with a network of their own each, and what all of them use. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import pg from 'pg';
import { root } from '../../scripts/build_if_needed.mjs';
import { cpuMs, startHost, startModel } from '../gateway/processes.mjs';

const require = createRequire(import.meta.url);
require('../../test/support/typescript_hook.cjs');
const { startPostgres } = require('../../test/support/postgres_server.ts');
const { startDelayProxy, throughProxy } = require('../../test/support/delay_proxy.ts');

/** Every commit waits for the disk, as in production; statements are counted. */
const POSTGRES_SETTINGS = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on', 'shared_preload_libraries=pg_stat_statements'];
const GATEWAY_ENV = { NETA_MAX_CONCURRENT_RUNS: '2000', NETA_MAX_QUEUED_RUNS: '100000', NETA_MAX_READERS: '10000', NETA_LOG_LEVEL: 'warn' };
/** Linux counts the times of /proc/<pid>/stat in hundredths of a second. */
const TICK_MS = 10;

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** The value below which a share of the values lies; undefined without values. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export const median = values => quantile(values, 0.5);

export async function startLab() {
  const server = await startPostgres(POSTGRES_SETTINGS);
  const model = await startModel({ isPinned: false });
  return {
    modelUrl: model.url,
    createDatabase: () => server.createDatabase(),
    postgresCpuMs: () => postgresCpuMs(server.pid),
    async stop() {
      model.child.kill('SIGKILL');
      await server.stop();
    },
  };
}

/**
 * Starts gateways that share a Postgres, or one over SQLite without `databaseUrl`. `delayMs`: what its network adds to each direction of a gateway's
 * connections; undefined connects without a proxy, so its round trips are not counted.
 */
export async function startGateways(lab, { count = 1, databaseUrl, delayMs, env } = {}) {
  const gateways = [];
  for (let i = 0; i < count; i += 1) {
    const proxy = delayMs === undefined ? undefined : await startDelayProxy({ targetPort: Number(new URL(databaseUrl).port) });
    const address = proxy ? throughProxy(databaseUrl, proxy) : databaseUrl;
    const host = await startHost(
      { root, isPinned: false, env: { ...GATEWAY_ENV, ...(address && { DATABASE_URL: address }), ...env } },
      lab.modelUrl,
    );
    gateways.push({ ...host, proxy });
  }
  // The start, with its migrations, is not what the parts measure.
  for (const { proxy } of gateways) await proxy?.setDelay(delayMs);
  return gateways;
}

export async function stopGateways(gateways) {
  for (const { stop, proxy, output } of gateways) {
    await stop('SIGKILL');
    await proxy?.stop();
    printWarnings(output());
  }
}

/** A gateway that complains measures something else than a bench says. */
function printWarnings(output) {
  const lines = output.split('\n').filter(line => /warn|error/i.test(line) && !line.includes('without a sandbox'));
  if (lines.length > 0) console.log(`\nA gateway logged ${lines.length} warnings, such as: ${lines[0].slice(0, 600)}`);
}

/** Runs `use` with a connection of its own to the database. */
export async function withClient(databaseUrl, use) {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Milliseconds of CPU of the server with its connections, also of those that have ended; 0 for a server that is not ours. */
function postgresCpuMs(pid) {
  if (pid === undefined) return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + cpuOrZero(child), own);
}

function cpuOrZero(pid) {
  try {
    return cpuMs(pid);
  } catch {
    return 0;
  }
}

/** Milliseconds of a statement that does nothing: median and p99 of 200. */
export function measureRoundTrip(databaseUrl) {
  return withClient(databaseUrl, async client => {
    const times = [];
    for (let i = 0; i < 200; i += 1) {
      const before = performance.now();
      await client.query('select 1');
      times.push(performance.now() - before);
    }
    return { median: median(times), p99: quantile(times, 0.99) };
  });
}

/** Measures the proxy of this bench: what it adds to a round trip. */
export async function measureProxy(databaseUrl, delayMs) {
  const proxy = await startDelayProxy({ targetPort: Number(new URL(databaseUrl).port), delayMs });
  const measured = await measureRoundTrip(throughProxy(databaseUrl, proxy));
  await proxy.stop();
  return measured;
}

export const loadOfMachine = () => loadavg()[0].toFixed(1);

/** Prints a table: `rows` are objects with the same keys, which are the columns. */
export function printTable(title, rows) {
  const columns = Object.keys(rows[0] ?? {});
  console.log(`\n${title}\n`);
  console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}`);
  for (const row of rows) console.log(`| ${columns.map(column => show(row[column])).join(' | ')} |`);
}

function show(value) {
  if (typeof value !== 'number' || Number.isInteger(value)) return value ?? '-';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
