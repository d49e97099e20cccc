/**
 * `npm run bench`: measures what a turn costs the gateway, beside a naive loop on the same machine. Options: --rounds 3, --only <pattern of
 * scenarios>, --host name=directory (another build of the gateway), --profile (prints where the gateway's CPU time goes).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build_if_needed.mjs';
import { pinClients, startHost, startModel } from './processes.mjs';
import { printProfile } from './profile.mjs';
import { SCENARIOS } from './scenarios.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    host: { type: 'string', multiple: true, default: [] },
    profile: { type: 'boolean', default: false },
  },
});

const otherBuilds = options.host.map(pair => {
  const [name, root] = pair.split('=');
  return { name, root: resolve(root), kinds: ['socket', 'stream'] };
});
const HOSTS = [
  { name: 'naive', program: 'hosts/naive_socket.mjs', kinds: ['socket'] },
  { name: 'naive', program: 'hosts/naive_stream.mjs', kinds: ['stream'] },
  { name: 'gateway', kinds: ['socket', 'stream'] },
  ...otherBuilds,
];

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const show = value => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

/** Starts a fresh host for each measurement, so that no scenario inherits memory or compiled code of another. */
async function measure(host, scenario, modelUrl) {
  const profile = options.profile && host.name === 'gateway' ? mkdtempSync(join(tmpdir(), 'neta-profile-')) : undefined;
  const running = await startHost(host, modelUrl, profile);
  try {
    await scenario.warmUp?.(running);
    return await scenario.run(running);
  } finally {
    await running.stop();
    if (profile) {
      printProfile(profile);
      rmSync(profile, { recursive: true, force: true });
    }
  }
}

async function measureScenario(name, scenario, modelUrl) {
  const hosts = HOSTS.filter(({ kinds }) => kinds.includes(scenario.kind));
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const figures = {};
    // Every second round runs backwards, so that a machine that warms up favours neither side.
    for (const host of round % 2 === 0 ? hosts : hosts.toReversed()) figures[host.name] = await measure(host, scenario, modelUrl);
    rounds.push(figures);
  }
  const names = hosts.map(host => host.name);
  for (const figure of Object.keys(rounds[0][names[0]])) {
    const cells = names.map(host => {
      const value = median(rounds.map(round => round[host][figure]));
      const ratio = median(rounds.map(round => round[host][figure] / round.naive[figure]));
      return host === 'naive' ? show(value) : `${show(value)} (${ratio.toFixed(2)}x)`;
    });
    console.log(`| ${name} | ${figure} | ${cells.join(' | ')} |`);
  }
}

buildIfNeeded();
const cores = availableParallelism();
const isPinned = pinClients();
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cores} cores, Node ${process.version}, ${isPinned ? 'pinned' : 'not pinned'}`);
const names = [...new Set(HOSTS.map(host => host.name))];
console.log(`| scenario | figure | ${names.join(' | ')} |\n|---|---|${names.map(() => '---|').join('')}`);
const model = await startModel();
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (new RegExp(options.only).test(name)) await measureScenario(name, scenario, model.url);
}
model.child.kill('SIGTERM');
