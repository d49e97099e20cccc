/** Turns a second with a distant Postgres and with more gateways, and the CPU of a turn beside SQLite. */
import { openChat } from '../gateway/clients.mjs';
import { cpuMs } from '../gateway/processes.mjs';
import { loadOfMachine, measureProxy, measureRoundTrip, median, printTable, startGateways, stopGateways } from './lab.mjs';
import { measureLoad } from './load.mjs';

/** A turn of the model server's script `wait`: two tools that read, and a model that waits a second in all. */
const WAITING = 'wait';

/** One gateway: SQLite and Postgres at 0, 1 and 5 ms each way, in the same run. */
export async function measureLatency(lab, { rounds, sessions }) {
  await printProxy(lab, [1, 5]);
  const rows = [];
  for (let round = 1; round <= rounds; round += 1) {
    const sqlite = await measureWith(lab, { sessions });
    rows.push({ round, store: 'SQLite', 'ms each way': '-', 'of SQLite': 1, ...sqlite });
    for (const delayMs of [0, 1, 5]) {
      const figures = await measureWith(lab, { sessions, delayMs });
      rows.push({ round, store: 'Postgres', 'ms each way': delayMs, 'of SQLite': figures['turns/s'] / sqlite['turns/s'], ...figures });
    }
  }
  printTable(`One gateway, ${sessions} sessions, a model that waits 1 s in all, two reading tools`, rows);
}

/** One to three gateways, 25 ms from Postgres, so that the CPU stays idle. */
export async function measureGrowth(lab, { rounds, sessions }) {
  await printProxy(lab, [25]);
  const rows = [];
  for (let round = 1; round <= rounds; round += 1) {
    let one;
    for (const count of [1, 2, 3]) {
      const figures = await measureWith(lab, { sessions, delayMs: 25, count, warmMs: 8_000, measureMs: 12_000 });
      one ??= figures['turns/s'];
      rows.push({ round, gateways: count, 'of one gateway': figures['turns/s'] / one, ...figures });
    }
  }
  printTable(`Gateways 25 ms each way from Postgres, ${sessions} sessions over all of them`, rows);
}

async function measureWith(lab, { sessions, delayMs, count, ...times }) {
  const databaseUrl = delayMs === undefined ? undefined : await lab.createDatabase();
  const gateways = await startGateways(lab, { count, databaseUrl, delayMs });
  try {
    return await measureLoad(lab, gateways, { sessions, text: WAITING, databaseUrl, ...times });
  } finally {
    await stopGateways(gateways);
  }
}

async function printProxy(lab, delays) {
  const databaseUrl = await lab.createDatabase();
  const direct = await measureRoundTrip(databaseUrl);
  const rows = [{ 'ms each way': '-', 'round trip p50 ms': direct.median, 'p99 ms': direct.p99 }];
  for (const delayMs of [0, ...delays]) {
    const measured = await measureProxy(databaseUrl, delayMs);
    rows.push({ 'ms each way': delayMs, 'round trip p50 ms': measured.median, 'p99 ms': measured.p99 });
  }
  printTable('The network of the bench: a statement that does nothing, without the proxy and through it', rows);
}

/** Blocks of turns by turns on SQLite and on a Postgres nearby, both running; the ratio of each pair of blocks. */
export async function measureCpu(lab, { rounds }) {
  const [sqlite] = await startGateways(lab);
  const [postgres] = await startGateways(lab, { databaseUrl: await lab.createDatabase() });
  try {
    for (const gateway of [sqlite, postgres]) await costOfTurn(gateway, 20);
    const pairs = [];
    for (let round = 0; round < 3 * rounds + 2; round += 1) {
      const order = round % 2 === 0 ? [sqlite, postgres] : [postgres, sqlite];
      const costs = new Map();
      const before = lab.postgresCpuMs();
      for (const gateway of order) costs.set(gateway, await costOfTurn(gateway, 8));
      const server = (lab.postgresCpuMs() - before) / (CPU_SESSIONS * 8);
      pairs.push({ sqlite: costs.get(sqlite), postgres: costs.get(postgres), server, ratio: costs.get(postgres) / costs.get(sqlite) });
    }
    const middle = field => median(pairs.map(pair => pair[field]));
    const ratios = pairs.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
    printTable(`CPU of the gateway, ${CPU_SESSIONS} sessions, two reading tools, medians of ${pairs.length} pairs`, [
      {
        'SQLite ms/turn': middle('sqlite'),
        'Postgres ms/turn': middle('postgres'),
        'Postgres : SQLite': middle('ratio'),
        'lowest pair': ratios[0],
        'highest pair': ratios.at(-1),
        'Postgres server ms/turn': middle('server'),
        'load of the machine': loadOfMachine(),
      },
    ]);
  } finally {
    await stopGateways([sqlite, postgres]);
  }
}

const CPU_SESSIONS = 32;

async function costOfTurn({ url, pid }, turns) {
  const clients = await Promise.all(Array.from({ length: CPU_SESSIONS }, () => openChat(url)));
  const before = cpuMs(pid);
  await Promise.all(
    clients.map(async client => {
      for (let turn = 0; turn < turns; turn += 1) await client.turn('hello');
    }),
  );
  const cost = (cpuMs(pid) - before) / (CPU_SESSIONS * turns);
  for (const client of clients) client.close();
  return cost;
}
