/** How fast gateways empty a long queue together: whether they wait for one another when each takes the next run. */
import { loadOfMachine, printTable, sleep, startGateways, stopGateways, withClient } from './lab.mjs';

const SLOTS = 32;
const DELAY_MS = 5;
const PARTS = 50;

/** `queued` runs in sessions of their own, spread over one gateway and then over three, each of which executes `SLOTS` runs at once. */
export async function measureQueue(lab, { queued }) {
  const rows = [];
  for (const count of [1, 3]) {
    const databaseUrl = await lab.createDatabase();
    const env = { NETA_MAX_CONCURRENT_RUNS: String(SLOTS) };
    const gateways = await startGateways(lab, { databaseUrl, count, delayMs: DELAY_MS, env });
    try {
      const started = performance.now();
      for (let sent = 0; sent < queued; sent += PARTS)
        await Promise.all(Array.from({ length: PARTS }, (_, i) => accept(gateways[i % count].url)));
      const accepted = performance.now();
      const ended = await withClient(databaseUrl, waitForEnds);
      const seconds = (performance.now() - started) / 1_000;
      rows.push({
        gateways: count,
        'runs/s': queued / seconds,
        'of one gateway': queued / seconds / (rows[0]?.['runs/s'] ?? queued / seconds),
        'accepted in s': (accepted - started) / 1_000,
        ...ended,
        'load of the machine': loadOfMachine(),
      });
    } finally {
      await stopGateways(gateways);
    }
  }
  printTable(`${queued} queued runs of one session each, ${SLOTS} slots a gateway, ${DELAY_MS} ms each way from Postgres`, rows);
}

async function accept(url) {
  const response = await fetch(`${url}/api/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ input: 'wait' }),
  });
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** Resolves with the statuses of the runs when all have ended, and with the share of rolled back transactions. */
async function waitForEnds(client) {
  for (;;) {
    const { rows } = await client.query('select status, count(*)::int as runs from runs group by status order by status');
    if (rows.every(({ status }) => !['queued', 'running', 'waiting'].includes(status))) {
      const transactions = await client.query(
        'select xact_commit::float as commits, xact_rollback::float as rollbacks from pg_stat_database where datname = current_database()',
      );
      const { commits, rollbacks } = transactions.rows[0];
      return {
        ends: rows.map(({ status, runs }) => `${runs} ${status}`).join(', '),
        'rolled back %': (100 * rollbacks) / (commits + rollbacks),
      };
    }
    await sleep(100);
  }
}
