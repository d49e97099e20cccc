import { parseArgs } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { loadEdits } from './corpus.mjs';
import { createEngines, enginePath, loadEngine } from './engines.mjs';
import { measureGrowth } from './growth.mjs';
import { MISQUOTES } from './misquotes.mjs';
import { MUST_REFUSE } from './must_refuse.mjs';
import { PACKAGES } from './packages.mjs';
import { createRandom, hashText } from './random.mjs';
import { judge } from './score.mjs';

const { values: options } = parseArgs({
  options: {
    edits: { type: 'string', default: '15' },
    group: { type: 'string', default: 'all' },
    seed: { type: 'string', default: '20261121' },
    only: { type: 'string' },
    show: { type: 'string' },
    engine: { type: 'string' },
    rivals: { type: 'boolean', default: true },
    growth: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

const seed = Number(options.seed);
const engine = loadEngine(options.engine);
const engines = createEngines(engine);
const names = options.rivals ? Object.keys(engines) : ['neta'];
const packages = PACKAGES.filter(([, , , group]) => options.group === 'all' || group === options.group);
const edits = loadEdits(packages, { perPackage: Number(options.edits), seed });
console.log(`${edits.length} edits from ${packages.length} packages, seed ${seed}`);

const times = [];
let shown = 0;
const rows = scoreMisquotes();
const refusals = scoreRefusals();
printRows(rows, refusals);
printTimes();
if (options.growth) measureGrowth(enginePath(options.engine));

function isWanted(label) {
  return !options.only || new RegExp(options.only).test(label);
}

function scoreMisquotes() {
  const table = new Map();
  for (const [label, misquote] of Object.entries({ as_is: edit => ({ old: edit.old, next: edit.next }), ...MISQUOTES })) {
    if (!isWanted(label)) continue;
    const row = Object.fromEntries(names.map(name => [name, { cases: 0, exact: 0, place: 0, damage: 0, refused: 0 }]));
    edits.forEach((edit, index) => {
      const made = misquote(edit, createRandom(seed ^ hashText(label + index)));
      if (!made || made.old === made.next || made.old.trim() === '') return;
      const instance = { ...edit, ...made };
      for (const name of names) tally(row[name], name, label, instance);
    });
    table.set(label, row);
  }
  return table;
}

function tally(cell, name, label, instance) {
  const began = process.hrtime.bigint();
  const result = engines[name](instance.content, instance.old, instance.next);
  if (name === 'neta') times.push(Number(process.hrtime.bigint() - began) / 1e6);
  const verdict = judge(instance, result);
  cell.cases++;
  if (verdict.outcome === 'exact') cell.exact++;
  if (verdict.rightPlace) cell.place++;
  if (verdict.damage) cell.damage++;
  if (verdict.outcome === 'refused') cell.refused++;
  if (name === 'neta' && options.show && verdict.outcome !== 'exact') show(label, instance, verdict, result);
}

function show(label, instance, verdict, result) {
  if (options.show === 'damage' && !verdict.damage) return;
  if (options.show === 'refused' && verdict.outcome !== 'refused') return;
  if (options.show === 'other' && verdict.outcome === 'refused') return;
  if (shown++ > 12) return;
  const answer = engine.applyPatch(instance.content, instance.old, instance.next);
  const { start, end, content, expected } = instance;
  console.log(
    `\n##### ${label} ${instance.file} ${JSON.stringify(verdict)} ${answer.ok ? answer.strategy : `${answer.code}: ${answer.error}`}`,
  );
  console.log(
    `--- old\n${instance.old}\n--- new\n${instance.next}\n--- file\n${content.slice(start, end)}\n--- expected\n${expected.slice(start, end + expected.length - content.length)}`,
  );
  if (result !== undefined) console.log(`--- got\n${result.slice(start, end + result.length - content.length)}`);
}

function scoreRefusals() {
  const table = new Map();
  for (const [label, make] of Object.entries(MUST_REFUSE)) {
    if (!isWanted(label)) continue;
    const row = Object.fromEntries(names.map(name => [name, { cases: 0, applied: 0 }]));
    edits.forEach((edit, index) => {
      const made = make(edit, createRandom(seed ^ hashText(label + index)), edits);
      if (!made || made.skip || made.old === made.next || isElsewhere(label, made)) return;
      for (const name of names) {
        row[name].cases++;
        const result = engines[name](made.content, made.old, made.next);
        if (result === undefined) continue;
        row[name].applied++;
        if (name === 'neta' && options.show === 'applied' && shown++ < 12) {
          const { strategy } = engine.applyPatch(made.content, made.old, made.next);
          const change = createTwoFilesPatch('file', 'got', made.content, result, '', '', { context: 6 });
          console.log(`\n##### ${label} ${edit.file} ${strategy}\n--- old\n${made.old}\n--- new\n${made.next}\n${change}`);
        }
      }
    });
    table.set(label, row);
  }
  return table;
}

/** Returns true when another place has the whole quotation except for white space: then an edit is allowed there. */
function isElsewhere(label, { content, old }) {
  const isMadeSo = /^(duplicate|already_applied|elided)/.test(label);
  return !isMadeSo && content.replace(/\s+/g, '').includes(old.replace(/\s+/g, ''));
}

function percent(part, whole, digits = 1) {
  return whole === 0 ? '-' : ((100 * part) / whole).toFixed(digits);
}

function printRows(rows, refusals) {
  console.log(
    `\n| misquotation | cases | exact % | place % | damage % | refused % |${names
      .slice(1)
      .map(name => ` ${name}: exact % | damage % |`)
      .join('')}`,
  );
  console.log(
    `|---|---|---|---|---|---|${names
      .slice(1)
      .map(() => '---|---|')
      .join('')}`,
  );
  const total = Object.fromEntries(names.map(name => [name, { cases: 0, exact: 0, place: 0, damage: 0, refused: 0 }]));
  for (const [label, row] of rows) {
    for (const name of names) for (const key of Object.keys(total[name])) total[name][key] += row[name][key];
    if (row.neta.cases > 0) console.log(line(label, row));
  }
  console.log(line('**all**', total, 2));
  console.log(
    `\n| must be refused | cases | applied % |${names
      .slice(1)
      .map(name => ` ${name} % |`)
      .join('')}`,
  );
  console.log(
    `|---|---|---|${names
      .slice(1)
      .map(() => '---|')
      .join('')}`,
  );
  const sum = Object.fromEntries(names.map(name => [name, { cases: 0, applied: 0 }]));
  for (const [label, row] of refusals) {
    for (const name of names) for (const key of Object.keys(sum[name])) sum[name][key] += row[name][key];
    console.log(refusalLine(label, row));
  }
  console.log(refusalLine('**all**', sum, 2));
}

function line(label, row, digits = 1) {
  const own = row.neta;
  const rest = names
    .slice(1)
    .map(name => ` ${percent(row[name].exact, row[name].cases, digits)} | ${percent(row[name].damage, row[name].cases, digits)} |`);
  return `| ${label} | ${own.cases} | ${percent(own.exact, own.cases, digits)} | ${percent(own.place, own.cases, digits)} | ${percent(own.damage, own.cases, 2)} | ${percent(own.refused, own.cases, digits)} |${rest.join('')}`;
}

function refusalLine(label, row, digits = 1) {
  return `| ${label} | ${row.neta.cases} | ${names.map(name => percent(row[name].applied, row[name].cases, digits)).join(' | ')} |`;
}

function printTimes() {
  times.sort((a, b) => a - b);
  const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(3);
  console.log(`\ntime per call on these files, ms: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, worst ${at(1)}`);
}
