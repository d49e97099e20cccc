/**
 * `npm run bench`: measures what a turn costs the gateway, beside a naive loop on the same machine. docs/performance.md explains it.
 * Options: --rounds 3, --only <pattern of scenarios>, --peers (all frameworks) or --peer <name>, --host name=directory (another build of the
 * gateway), --repeat 3 (measures each scenario three times in the same process; the last time counts), --json <file> (raw figures),
 * --profile (prints where the gateway's CPU time goes).
 */
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build_if_needed.mjs';
import { makeTemporaryDirectory } from './leftovers.mjs';
import { copyWithTools, OWN_TOOLS } from './many_tools.mjs';
import { PEER_NAMES, preparePeers } from './peers.mjs';
import { cpuMs, pinClients, ROOT, startHost, startModel } from './processes.mjs';
import { printProfile } from './profile.mjs';
import { SCENARIOS } from './scenarios.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    peers: { type: 'boolean', default: false },
    peer: { type: 'string', multiple: true, default: [] },
    host: { type: 'string', multiple: true, default: [] },
    repeat: { type: 'string', default: '1' },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});

/** Above this share of a core the clients and the model may slow the host down. */
const BUSY = 0.9;
const SCENARIO_LIMIT_MS = 180_000;

const otherBuilds = options.host.map(pair => {
  const [name, root] = pair.split('=');
  return { name, root: resolve(root), kinds: ['socket', 'stream'] };
});
const HOSTS = [
  { name: 'naive', program: 'hosts/naive_socket.mjs', kinds: ['socket'] },
  { name: 'naive', program: 'hosts/naive_stream.mjs', kinds: ['stream'] },
  { name: 'gateway', root: ROOT, kinds: ['socket', 'stream'] },
  ...otherBuilds,
  ...preparePeers(options.peers ? Object.keys(PEER_NAMES) : options.peer),
];
const NAMES = [...new Set(HOSTS.map(host => host.name))];

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const show = value => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

/** Starts a fresh host for each measurement, so that no scenario inherits memory or compiled code of another. */
async function measure(host, scenario, model) {
  const profile = options.profile && host.name === 'gateway' ? makeTemporaryDirectory('neta-profile-') : undefined;
  const copy = scenario.tools && host.root ? copyWithTools(host.root, scenario.tools - OWN_TOOLS) : undefined;
  const env = scenario.tools && { BENCH_TOOLS: String(scenario.tools) };
  const running = await startHost({ ...host, ...(copy && { root: copy }), env }, model.url, profile);
  try {
    await scenario.warmUp?.(running);
    // While a scenario runs for the first times, the engine compiles what it uses.
    for (let time = 1; time < Number(options.repeat); time += 1) await within(SCENARIO_LIMIT_MS, scenario.run(running));
    return await watchClients(model, () => within(SCENARIO_LIMIT_MS, scenario.run(running)));
  } finally {
    await running.stop();
    if (profile) printProfile(profile);
    for (const directory of [profile, copy]) if (directory) rmSync(directory, { recursive: true, force: true });
  }
}

/** Warns when the clients and the model, rather than the host, decided how long the measurement took. */
async function watchClients(model, run) {
  const used = () => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000 + cpuMs(model.pid);
  const before = used();
  const started = performance.now();
  const figures = await run();
  const share = (used() - before) / (performance.now() - started);
  if (share > BUSY) console.error(`The clients and the model used ${(100 * share).toFixed(0)} % of a core: latencies are theirs too.`);
  return figures;
}

function within(milliseconds, promise) {
  const { promise: late, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new Error(`no result within ${milliseconds / 1_000} s`)), milliseconds);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Measures the hosts in turns. A host that fails is named with the reason and left out of the scenario. */
async function measureRounds(name, scenario, model) {
  let hosts = HOSTS.filter(({ kinds, isPeer }) => kinds.includes(scenario.kind) && (!isPeer || scenario.withPeers));
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const figures = {};
    // Every second round runs backwards, so that a machine that warms up favours neither side.
    for (const host of round % 2 === 0 ? hosts : hosts.toReversed()) {
      try {
        figures[host.name] = await measure(host, scenario, model);
      } catch (thrown) {
        console.error(`${host.name} is left out of "${name}": ${String(thrown.message ?? thrown).slice(0, 500)}`);
        hosts = hosts.filter(other => other !== host);
      }
    }
    rounds.push(figures);
  }
  return rounds;
}

/** Prints the medians, and after each the median of the ratios to the naive host of the same round. */
function printRows(name, rounds) {
  for (const figure of Object.keys(rounds[0]?.gateway ?? rounds[0]?.naive ?? {})) {
    const cells = NAMES.map(host => {
      const pairs = rounds.filter(round => round[host] && round.naive);
      if (pairs.length === 0) return '-';
      const value = show(median(pairs.map(round => round[host][figure])));
      return host === 'naive' ? value : `${value} (${median(pairs.map(round => round[host][figure] / round.naive[figure])).toFixed(2)}x)`;
    });
    console.log(`| ${name} | ${figure} | ${cells.join(' | ')} |`);
  }
}

buildIfNeeded();
const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`;
console.log(`${machine}, ${pinClients() ? 'pinned' : 'not pinned'}, ${options.rounds} rounds`);
console.log(`| scenario | figure | ${NAMES.join(' | ')} |\n|---|---|${NAMES.map(() => '---|').join('')}`);
const model = await startModel();
const raw = {};
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (!new RegExp(options.only).test(name)) continue;
  raw[name] = await measureRounds(name, scenario, model);
  printRows(name, raw[name]);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, scenarios: raw }, null, 2)}\n`);
}
model.child.kill('SIGTERM');
