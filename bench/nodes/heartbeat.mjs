/** What the heartbeats of an idle gateway cost when other gateways have many unfinished runs. */
import { join } from 'node:path';
import { root } from '../../scripts/build_if_needed.mjs';
import { cpuMs } from '../gateway/processes.mjs';
import { fillDatabase } from '../scale/fill.mjs';
import { loadOfMachine, printTable, sleep, startGateways, stopGateways, withClient } from './lab.mjs';
import { copyRows } from './rows.mjs';

const RUNS = 20_000;
const HEARTBEAT_MS = 5_000;
const HEARTBEATS = 5;
const OWNER = 'another-gateway';

export async function measureHeartbeat(lab) {
  const databaseUrl = await lab.createDatabase();
  const size = { sessions: 1, runsPerSession: 1, resultBytes: 900, longEvents: 200, longMessages: 20 };
  await fillDatabase({ root, dataDir: join(root, 'unused'), databaseUrl, size });
  const [gateway] = await startGateways(lab, { databaseUrl });
  try {
    await sleep(2 * HEARTBEAT_MS);
    const empty = await costOfHeartbeats(lab, gateway);
    await withClient(databaseUrl, addRunsOfAnother);
    const full = await costOfHeartbeats(lab, gateway);
    printTable(`Heartbeats of an idle gateway, ${HEARTBEATS} each`, [
      { 'unfinished runs of others': 0, ...empty },
      { 'unfinished runs of others': RUNS, ...full },
      { 'unfinished runs of others': 'more', ...difference(full, empty) },
    ]);
  } finally {
    await stopGateways([gateway]);
  }
}

async function addRunsOfAnother(client) {
  await copyRows(client, { table: 'sessions', where: "id = 'ses_0'", count: RUNS, changed: { id: "'ses_copy_' || n" } });
  const now = Date.now();
  await client.query('insert into node_leases (owner, lease_until) values ($1, $2)', [OWNER, now + 3_600_000]);
  const changed = {
    id: "'run_copy_' || n",
    session_id: "'ses_copy_' || n",
    status: "'running'",
    owner: `'${OWNER}'`,
    lease_until: '8640000000000000',
    created_at: `${now}`,
    started_at: `${now}`,
    ended_at: 'null',
    outcome: 'null',
    usage_pending: '0',
  };
  await copyRows(client, { table: 'runs', where: "id = 'run_0_1'", count: RUNS, changed });
  await client.query('vacuum analyze');
}

async function costOfHeartbeats(lab, { pid }) {
  const before = { gateway: cpuMs(pid), server: lab.postgresCpuMs() };
  await sleep(HEARTBEATS * HEARTBEAT_MS);
  return {
    'CPU gateway ms/heartbeat': (cpuMs(pid) - before.gateway) / HEARTBEATS,
    'CPU Postgres ms/heartbeat': (lab.postgresCpuMs() - before.server) / HEARTBEATS,
    'load of the machine': loadOfMachine(),
  };
}

function difference(full, empty) {
  const columns = Object.keys(full).filter(column => column.startsWith('CPU'));
  return { ...Object.fromEntries(columns.map(column => [column, full[column] - empty[column]])), 'load of the machine': loadOfMachine() };
}
