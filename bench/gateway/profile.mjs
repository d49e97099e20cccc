/** Reads the CPU profiles that Node wrote into a directory and prints self time by package and by function. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const TOP = 20;

/** `directory`: of one host. The largest profile in it counts, since the smaller ones are of worker threads. */
export function printProfile(directory) {
  const files = readdirSync(directory).map(name => join(directory, name));
  const largest = files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0];
  if (!largest) return;
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(largest, 'utf8'));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const packages = new Map();
  const functions = new Map();
  let total = 0;
  samples.forEach((id, i) => {
    const { functionName, url } = frames.get(id);
    if (functionName === '(idle)') return;
    total += timeDeltas[i];
    add(packages, packageOf(url) || functionName, timeDeltas[i]);
    add(functions, `${functionName || '(anonymous)'} ${url.replace(/.*\/(?=dist\/|node_modules\/)/, '')}`, timeDeltas[i]);
  });
  printTop('package', packages, total);
  printTop('function', functions, total);
}

const add = (map, key, microseconds) => map.set(key, (map.get(key) ?? 0) + microseconds);

/** The package of node_modules, the room of src, or the module of Node that a script belongs to. */
function packageOf(url) {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return installed ?? /dist\/(src\/[^/]+\/[^/]+)/.exec(url)?.[1] ?? /^node:[^/]+/.exec(url)?.[0];
}

function printTop(title, times, total) {
  console.log(`\n| ${title} | self time |\n|---|---|`);
  const top = [...times].toSorted((a, b) => b[1] - a[1]).slice(0, TOP);
  for (const [name, microseconds] of top) console.log(`| ${name} | ${((100 * microseconds) / total).toFixed(1)} % |`);
}
