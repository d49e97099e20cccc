/**
 * Measures how well the assembler finds the tools that a request needs: `npm run bench:assembler`. It uses the lexical ranking alone, without
 * vectors, and no model takes part. Options: --missed lists the requests that failed, --root <directory of another build>.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root as here } from '../../scripts/build_if_needed.mjs';
import corpus from './corpus.cjs';

const { foreignTools, recall, requestsOf } = corpus;
const { values: options } = parseArgs({
  options: { root: { type: 'string', default: here }, missed: { type: 'boolean', default: false } },
});
const root = resolve(options.root);
if (root === here) buildIfNeeded();
const require = createRequire(join(root, 'package.json'));
const load = name => require(`./dist/src/${name}.js`);
const { ToolRanking } = load('feature/tool_choice/tool_ranking');
const { wireToolOf } = load('runtime/tool_assembler');
const { estimateTools } = load('runtime/fit_history');

// As in the gateway, which ranks the tools of servers and manifests: built-in ones belong to profiles.
const tools = foreignTools();
const byName = new Map(tools.map(tool => [tool.name, tool]));
const tokensOf = names => estimateTools(names.map(name => wireToolOf(byName.get(name), 'en')));

const startedAt = performance.now();
const ranking = new ToolRanking(tools);
const builtMs = performance.now() - startedAt;

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = value => value.toFixed(3);

console.log(
  `${tools.length} tools of ${new Set(tools.map(({ toolset }) => toolset)).size} toolsets; index built in ${builtMs.toFixed(0)} ms`,
);
console.log('language  requests   part       recall@10  recall@20  all tools');
const times = [];
const missed = [];
const sent = [];
for (const locale of ['en', 'zh-CN']) {
  const rows = requestsOf(locale).map(request => {
    const begun = performance.now();
    const names = ranking.rank({ message: request.text }).map(({ name }) => name);
    times.push(performance.now() - begun);
    sent.push(tokensOf(names.slice(0, 20)));
    const found = recall(request.needs, names, 20);
    if (found < 1) missed.push(`  ${locale} ${request.part}: ${request.text} => ${request.needs.join(', ')}`);
    return { ...request, at10: recall(request.needs, names, 10), at20: found };
  });
  const parts = [['all', () => true], ...['tuned on', 'unseen'].map(part => [part, row => row.part === part])];
  for (const [part, isIn] of parts) {
    const some = rows.filter(isIn);
    const [at10, at20] = [mean(some.map(row => row.at10)), mean(some.map(row => row.at20))];
    console.log(
      `${locale.padEnd(10)}${String(some.length).padEnd(11)}${part.padEnd(11)}${shown(at10).padEnd(11)}${shown(at20).padEnd(11)}1.000`,
    );
  }
}
times.sort((a, b) => a - b);
const at = share => times[Math.floor(share * (times.length - 1))].toFixed(2);
console.log(`one choice: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, slowest ${at(1)} ms`);
console.log(`schemas: ${tokensOf([...byName.keys()])} tokens for all tools, ${Math.round(mean(sent))} for 20 chosen ones (estimated)`);
if (options.missed) console.log(['not among the first 20:', ...missed].join('\n'));
