/** Chat sessions that send one message after the other to gateways, and what a turn costs then. */
import { openChat } from '../gateway/clients.mjs';
import { cpuMs } from '../gateway/processes.mjs';
import { loadOfMachine, quantile, sleep, withClient } from './lab.mjs';

/**
 * Runs `sessions` sessions, spread over the gateways, for `warmMs` and then for `measureMs`, and resolves with the figures of the second part.
 * The sessions begin spread over a second. A turn counts when it ends.
 */
export async function measureLoad(lab, gateways, { sessions, text, warmMs = 4_000, measureMs = 8_000, databaseUrl }) {
  const clients = await Promise.all(Array.from({ length: sessions }, (_, i) => openChat(gateways[i % gateways.length].url)));
  const load = { isOver: false, isMeasured: false, turns: [], errors: [] };
  clients.forEach((client, i) => void repeat(client, text, load, (i / sessions) * 1_000));
  await sleep(warmMs);
  const before = await readCounters(lab, gateways, databaseUrl);
  const started = performance.now();
  load.isMeasured = true;
  await sleep(measureMs);
  load.isMeasured = false;
  const seconds = (performance.now() - started) / 1_000;
  const after = await readCounters(lab, gateways, databaseUrl);
  load.isOver = true;
  for (const client of clients) client.close();
  return figuresOf(load, seconds, before, after);
}

async function repeat(client, text, load, delayMs) {
  await sleep(delayMs);
  while (!load.isOver) {
    try {
      const turn = await client.turn(text);
      if (load.isMeasured) load.turns.push(turn);
    } catch (thrown) {
      if (load.isMeasured) load.errors.push(thrown.message);
      await sleep(100);
    }
  }
}

async function readCounters(lab, gateways, databaseUrl) {
  const trips = await Promise.all(gateways.map(({ proxy }) => proxy?.readRoundTrips()));
  return {
    gatewayMs: gateways.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    postgresMs: databaseUrl ? lab.postgresCpuMs() : undefined,
    roundTrips: trips[0] && trips.reduce((sum, { work }) => sum + work, 0),
    ...(databaseUrl && (await withClient(databaseUrl, readStatistics))),
  };
}

async function readStatistics(client) {
  await client.query('create extension if not exists pg_stat_statements');
  const { rows } = await client.query(
    `select sum(calls)::float as statements, (sum(calls) filter (where query ~ 'pg_current_xact_id'))::float as commits,
       (sum(wal_bytes) / 1024)::float as "walKb", (pg_database_size(current_database()) / 1024)::float as "storedKb"
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`,
  );
  return { ...rows[0], commits: rows[0].commits ?? 0 };
}

function figuresOf({ turns, errors }, seconds, before, after) {
  const times = field => turns.map(turn => turn[field]);
  const perTurn = counter =>
    turns.length > 0 && after[counter] !== undefined ? (after[counter] - before[counter]) / turns.length : undefined;
  return {
    'turns/s': turns.length / seconds,
    'turn p50 ms': quantile(times('turnMs'), 0.5),
    'turn p99 ms': quantile(times('turnMs'), 0.99),
    'ack p50 ms': quantile(times('ackMs'), 0.5),
    'ack p99 ms': quantile(times('ackMs'), 0.99),
    'CPU gateway ms/turn': perTurn('gatewayMs'),
    'CPU Postgres ms/turn': perTurn('postgresMs'),
    'statements/turn': perTurn('statements'),
    'commits/turn': perTurn('commits'),
    'round trips/turn': perTurn('roundTrips'),
    'WAL kB/turn': perTurn('walKb'),
    'stored kB/turn': perTurn('storedKb'),
    errors: errors.length === 0 ? 0 : `${errors.length}: ${errors[0].slice(0, 80)}`,
    'load of the machine': loadOfMachine(),
  };
}
