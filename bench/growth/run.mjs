/**
 * `npm run bench:growth`: prints the CPU time of a turn as the history, the plan, the number of tools, the stored runs and sessions, and the memories
 * and skills grow, and whether it stays flat. Options: --only <pattern of rows>, --root <directory of another build>.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root as here } from '../../scripts/build_if_needed.mjs';
import { openChat } from '../gateway/clients.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';
import { copyWithTools, OWN_TOOLS } from '../gateway/many_tools.mjs';
import { cpuMs, pinClients, startHost, startModel } from '../gateway/processes.mjs';
import { fillDatabase } from '../scale/fill.mjs';
import { fillMemories } from '../search/fill_memories.mjs';

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' }, root: { type: 'string', default: here } } });
const root = resolve(options.root);
const TURNS = 30;
const BLOCKS = 3;
const WARM_UP_TURNS = 400;
/** Turns before the measurement of first turns, then turns of a block and rounds of blocks. */
const WARM_UP_FIRST_TURNS = 400;
const FIRST_TURNS = 10;
const ROUNDS = 80;
/** A row is flat when its dearest turn costs at most this many times the one of its first size. Later sizes run code that is compiled better. */
const FLAT = 1.25;
/** Skills beside each number of memories but 0, and the milliseconds of CPU that both may add to a turn. */
const SKILLS = 50;
const MEMORY_LIMIT_MS = 0.5;

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function send(client, turns, text) {
  for (let turn = 0; turn < turns; turn += 1) await client.turn(text);
}

/** CPU time in milliseconds of a turn without tools, median of blocks. Each block has a new session, which `prepare` fills. */
async function costOfTurn(host, prepare = () => {}) {
  const costs = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const client = await openChat(host.url);
    await prepare(client);
    const before = cpuMs(host.pid);
    await send(client, TURNS, 'plain');
    costs.push((cpuMs(host.pid) - before) / TURNS);
    client.close();
  }
  return median(costs);
}

/** Starts a host, warms it up, and resolves with what `measure` finds. */
async function withHost(where, modelUrl, measure) {
  // A summary belongs to many turns; the one that asks for it would stand out.
  const host = await startHost({ ...where, env: { NETA_COMPACT_AT: '0' } }, modelUrl);
  try {
    const client = await openChat(host.url);
    await send(client, WARM_UP_TURNS, 'hello');
    client.close();
    return await measure(host);
  } finally {
    await host.stop();
  }
}

/** The sizes are measured in one host, so that they share its compiled code. */
const inOneHost = prepare => (sizes, modelUrl) =>
  withHost({ root }, modelUrl, async host => {
    const costs = [];
    for (const size of sizes) costs.push(await costOfTurn(host, client => prepare(client, size)));
    return costs;
  });

async function withTools(sizes, modelUrl) {
  const costs = [];
  for (const size of sizes) {
    const copy = copyWithTools(root, size - OWN_TOOLS);
    costs.push(await withHost({ root: copy }, modelUrl, host => costOfTurn(host)));
    rmSync(copy, { recursive: true });
  }
  return costs;
}

async function withStoredSessions(sizes, modelUrl) {
  const costs = [];
  for (const sessions of sizes) {
    const dataDir = makeTemporaryDirectory('neta-growth-');
    await fillDatabase({ root, dataDir, size: { sessions, runsPerSession: 3, resultBytes: 4_500, longEvents: 200, longMessages: 20 } });
    costs.push(await withHost({ root, dataDir }, modelUrl, host => costOfTurn(host)));
    rmSync(dataDir, { recursive: true });
  }
  return costs;
}

/** A directory like config/, with skills. */
function configWithSkills(count) {
  const directory = makeTemporaryDirectory('neta-growth-');
  cpSync(join(root, 'config/agents'), join(directory, 'agents'), { recursive: true });
  for (let i = 0; i < count; i += 1) {
    const folder = join(directory, 'skills', `bench-skill-${i}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: bench-skill-${i}\ndescription: Prepares report number ${i} from a table.\n---\nRead the table.\n`,
    );
  }
  return directory;
}

/**
 * Each turn begins a session of its own, whose memory block is chosen then. The hosts take turns in short blocks, every second round in reverse
 * order, and the difference to the first host is the median over the rounds: what disturbs one block, such as a collection of garbage or a
 * compilation, counts in one round only.
 */
async function withMemories(sizes, modelUrl) {
  const hosts = [];
  for (const size of sizes) {
    const dataDir = makeTemporaryDirectory('neta-growth-');
    await fillMemories({ root, dataDir, count: size });
    const config = configWithSkills(size === 0 ? 0 : SKILLS);
    hosts.push({ dataDir, config, costs: [], ...(await startHost({ root, dataDir, env: { NETA_CONFIG_DIR: config } }, modelUrl)) });
  }
  try {
    for (const host of hosts) await firstTurns(host, WARM_UP_FIRST_TURNS);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const host of round % 2 === 0 ? hosts : hosts.toReversed()) host.costs.push(await firstTurns(host, FIRST_TURNS));
  } finally {
    for (const { stop, dataDir, config } of hosts) {
      await stop();
      for (const directory of [dataDir, config]) rmSync(directory, { recursive: true });
    }
  }
  const [without] = hosts;
  return hosts.map(({ costs }) => median(without.costs) + median(costs.map((cost, round) => cost - without.costs[round])));
}

/** Resolves the CPU time in milliseconds of a first turn. */
async function firstTurns(host, turns) {
  const before = cpuMs(host.pid);
  for (let turn = 0; turn < turns; turn += 1) {
    const client = await openChat(host.url);
    await client.turn('plain about the table of the report');
    client.close();
  }
  return (cpuMs(host.pid) - before) / turns;
}

/** The model server answers `plan 20` with a plan of 20 items. */
const writePlan = (client, items) => (items > 0 ? client.turn(`plan ${items}`) : undefined);

const ROWS = {
  'earlier messages': { sizes: [0, 100, 200, 400], measure: inOneHost((client, messages) => send(client, messages / 2, 'plain')) },
  'items of the plan': { sizes: [0, 10, 25, 50], measure: inOneHost(writePlan) },
  'offered tools': { sizes: [OWN_TOOLS, 25, 50, 100], measure: withTools },
  'stored sessions, 3 runs each': { sizes: [1, 300, 1_000], measure: withStoredSessions },
  [`memories, with ${SKILLS} skills; first turn of a session`]: { sizes: [0, 2_000], measure: withMemories, limitMs: MEMORY_LIMIT_MS },
};

if (root === here) buildIfNeeded();
pinClients();
const model = await startModel();
console.log('| grows | sizes | CPU of a turn without tools, ms | flat |\n|---|---|---|---|');
for (const [name, { sizes, measure, limitMs }] of Object.entries(ROWS)) {
  if (!new RegExp(options.only).test(name)) continue;
  const costs = await measure(sizes, model.url);
  const growth = Math.max(...costs) / costs[0];
  const addedMs = Math.max(...costs) - costs[0];
  const isFlat = limitMs === undefined ? growth <= FLAT : addedMs <= limitMs;
  const measured = limitMs === undefined ? `${growth.toFixed(2)}x` : `${addedMs.toFixed(2)} ms more, at most ${limitMs}`;
  const verdict = isFlat ? 'yes' : `no, ${measured}`;
  console.log(`| ${name} | ${sizes.join(', ')} | ${costs.map(cost => cost.toFixed(2)).join(', ')} | ${verdict} |`);
}
model.child.kill('SIGTERM');
