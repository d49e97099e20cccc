/**
 * `npm run bench:scale`: measures the gateway on an empty, a middle and a large database (1 GB). The databases are filled in a temporary
 * directory and removed. Options: --sizes empty,large, --root <directory of another build>.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root as here } from '../../scripts/build_if_needed.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';
import { startHost, startModel } from '../gateway/processes.mjs';
import { measureLists, measureReplay, measureStart, measureStore, measureTurns } from './figures.mjs';
import { fillDatabase, SIZES } from './fill.mjs';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: 'empty,middle,large' }, root: { type: 'string', default: here } },
});
const root = resolve(options.root);
if (root === here) buildIfNeeded();

async function measure(home, name, modelUrl) {
  const dataDir = join(home, name);
  mkdirSync(dataDir);
  await fillDatabase({ root, dataDir, size: SIZES[name] });
  const figures = await measureStart({ root, dataDir, modelUrl });
  // The scripted model writes no summaries: each turn of the long session would ask for one in vain.
  const host = await startHost({ root, dataDir, env: { NETA_COMPACT_AT: '0' } }, modelUrl);
  try {
    Object.assign(figures, await measureLists(host), await measureReplay(host), await measureTurns(host));
  } finally {
    await host.stop();
  }
  Object.assign(figures, await measureStore({ root, dataDir }));
  rmSync(dataDir, { recursive: true });
  return figures;
}

const show = value => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const home = makeTemporaryDirectory('neta-scale-');
const model = await startModel();
try {
  const columns = {};
  for (const name of options.sizes.split(',')) columns[name] = await measure(home, name, model.url);
  const names = Object.keys(columns);
  console.log(`| figure | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}`);
  for (const figure of Object.keys(columns[names[0]])) {
    console.log(`| ${figure} | ${names.map(name => show(columns[name][figure])).join(' | ')} |`);
  }
} finally {
  model.child.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true });
}
