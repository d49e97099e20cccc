/** How long writes of other sessions wait at one gateway while another gateway is stopped, copies a long session, or cleans up. */
import { join } from 'node:path';
import { root } from '../../scripts/build_if_needed.mjs';
import { openChat } from '../gateway/clients.mjs';
import { fillDatabase, LONG_SESSION } from '../scale/fill.mjs';
import { loadOfMachine, printTable, quantile, sleep, startGateways, stopGateways, withClient } from './lab.mjs';
import { copyRows } from './rows.mjs';

const PROBE_EVERY_MS = 40;
const QUIET_MS = 6_000;
const STOP_MS = 8_000;
/** Chats of the gateway that is stopped, and its distance from Postgres, which make an open transaction likely. */
const STOPPED_CHATS = 24;
const STOPPED_DELAY_MS = 2;
/** An older transaction without a statement belongs to the stopped gateway. */
const HELD_MS = 250;
const FORKED_MESSAGES = 20_000;
/** The first clean-up of a gateway, after its start; how long the bench watches it; runs of a session, and their age. */
const CLEAN_UP_MS = 60_000;
const CLEANING_MS = 15_000;
const RUNS_PER_SESSION = 20;
const OLD_MS = 60 * 86_400_000;

/** Stops one gateway in a transaction of a session. */
export async function measureStop(lab) {
  const databaseUrl = await lab.createDatabase();
  const [stopped] = await startGateways(lab, { databaseUrl, delayMs: STOPPED_DELAY_MS });
  const [other] = await startGateways(lab, { databaseUrl });
  const probe = startProbe(other.url);
  try {
    await sleep(QUIET_MS);
    const clients = await Promise.all(Array.from({ length: STOPPED_CHATS }, () => openChat(stopped.url)));
    for (const client of clients) void chatForEver(client);
    const quiet = await probe.during(() => sleep(QUIET_MS));
    await stopInTransaction(stopped.pid, databaseUrl);
    const during = await probe.during(() => sleep(STOP_MS));
    report(`a gateway is stopped in a transaction for ${STOP_MS / 1_000} s`, quiet, during);
    for (const client of clients) client.close();
  } finally {
    probe.stop();
    await stopGateways([stopped, other]);
  }
}

async function chatForEver(client) {
  for (;;) {
    try {
      await client.turn('hello');
    } catch {
      await sleep(100);
    }
  }
}

async function stopInTransaction(pid, databaseUrl) {
  await withClient(databaseUrl, async client => {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      process.kill(pid, 'SIGSTOP');
      await sleep(2 * HELD_MS);
      const { rows } = await client.query(
        `select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
         and state_change < now() - interval '${HELD_MS} milliseconds'`,
      );
      if (rows.length > 0) return;
      process.kill(pid, 'SIGCONT');
      await sleep(50 + Math.random() * 50);
    }
    throw new Error('The gateway was never stopped in a transaction.');
  });
}

/** Copies a session of 20,000 messages at one gateway. */
export async function measureFork(lab) {
  const databaseUrl = await lab.createDatabase();
  const size = { sessions: 1, runsPerSession: 1, resultBytes: 900, longEvents: 2_000, longMessages: FORKED_MESSAGES };
  await fillDatabase({ root, dataDir: join(root, 'unused'), databaseUrl, size });
  const gateways = await startGateways(lab, { count: 2, databaseUrl });
  const [forking, other] = gateways;
  const probe = startProbe(other.url);
  try {
    await sleep(QUIET_MS);
    const quiet = await probe.during(() => sleep(QUIET_MS));
    const started = performance.now();
    let took;
    const during = await probe.during(async () => {
      await post(forking.url, `/sessions/${LONG_SESSION}/fork`, {});
      took = performance.now() - started;
      // Few writes fit into a fast fork.
      await sleep(Math.max(0, QUIET_MS / 2 - took));
    });
    report(`a fork of ${FORKED_MESSAGES} messages, ${(took / 1_000).toFixed(1)} s`, quiet, during);
  } finally {
    probe.stop();
    await stopGateways(gateways);
  }
}

/** The first clean-up of a gateway whose database has many old runs that were never counted. */
export async function measureHousekeeping(lab, { runs }) {
  const databaseUrl = await lab.createDatabase();
  const size = { sessions: 1, runsPerSession: 1, resultBytes: 900, longEvents: 200, longMessages: 20 };
  await fillDatabase({ root, dataDir: join(root, 'unused'), databaseUrl, size });
  await withClient(databaseUrl, client => addOldRuns(client, runs));
  const [cleaning] = await startGateways(lab, { databaseUrl });
  const startedAt = performance.now();
  const [other] = await startGateways(lab, { databaseUrl });
  const probe = startProbe(other.url);
  try {
    await sleep(CLEAN_UP_MS - QUIET_MS - 2_000 - (performance.now() - startedAt));
    const quiet = await probe.during(() => sleep(QUIET_MS));
    await sleep(CLEAN_UP_MS - (performance.now() - startedAt));
    const during = await probe.during(() => sleep(CLEANING_MS));
    const { rows } = await withClient(databaseUrl, client =>
      client.query(`select count(*)::int as counted from runs where id like 'run_copy_%' and events_to_newest is not null`),
    );
    report(`housekeeping of ${runs} ended runs, ${rows[0].counted} counted in ${CLEANING_MS / 1_000} s`, quiet, during);
  } finally {
    probe.stop();
    await stopGateways([cleaning, other]);
  }
}

async function addOldRuns(client, runs) {
  const at = Date.now() - OLD_MS;
  const sessions = Math.ceil(runs / RUNS_PER_SESSION);
  await copyRows(client, { table: 'sessions', where: "id = 'ses_0'", count: sessions, changed: { id: "'ses_copy_' || n" } });
  const changed = {
    id: "'run_copy_' || n",
    session_id: `'ses_copy_' || (1 + n % ${sessions})`,
    ordinal: 'n',
    created_at: `${at}`,
    started_at: `${at}`,
    ended_at: `${at} + n`,
    usage_pending: '0',
  };
  await copyRows(client, { table: 'runs', where: "id = 'run_0_1'", count: runs, changed });
  await client.query('vacuum analyze');
}

/** Writes to sessions of its own all the time: a new session and a run in a new session, by turns. */
function startProbe(url) {
  const probes = [];
  let count = 0;
  const timer = setInterval(async () => {
    const probe = { at: performance.now() };
    probes.push(probe);
    count += 1;
    const write = count % 2 === 0 ? post(url, '/sessions', { title: 'probe' }) : post(url, '/runs', { input: 'plain' });
    probe.isFailed = await write.then(
      () => false,
      () => true,
    );
    probe.ms = performance.now() - probe.at;
  }, PROBE_EVERY_MS);
  return {
    /** Resolves with the writes that began while `work` went on, when the last of them has ended. */
    async during(work) {
      const from = performance.now();
      await work();
      const own = probes.filter(({ at }) => at >= from);
      while (own.some(({ ms }) => ms === undefined)) await sleep(20);
      return own;
    },
    stop: () => clearInterval(timer),
  };
}

async function post(url, path, body) {
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${text}`);
}

function report(name, quiet, during) {
  const of = (probes, share) =>
    quantile(
      probes.map(({ ms }) => ms),
      share,
    );
  printTable(`Writes of other sessions at another gateway: ${name}`, [
    {
      'quiet p50 ms': of(quiet, 0.5),
      'quiet p99 ms': of(quiet, 0.99),
      'then p50 ms': of(during, 0.5),
      'then p99 ms': of(during, 0.99),
      'longest ms': of(during, 1),
      'p99 above the quiet p99, ms': of(during, 0.99) - of(quiet, 0.99),
      writes: during.length,
      failed: during.filter(({ isFailed }) => isFailed).length,
      'load of the machine': loadOfMachine(),
    },
  ]);
}
