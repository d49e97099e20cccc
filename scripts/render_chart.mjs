/**
 * `npm run docs:manifests`: renders the Helm chart with its default values into deploy/kubernetes/, for people without Helm. Knows only the actions
 * that the chart uses: a value, `if` with `end`, and `toYaml | nindent`. test/deploy.test.ts compares the result with `helm template` where Helm is.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const CHART = join(root, 'deploy/helm/neta-gateway');
export const MANIFESTS = join(root, 'deploy/kubernetes/neta-gateway.yaml');
const HEADER = '# Rendered from deploy/helm/neta-gateway by "npm run docs:manifests"; the guide is docs/guides/containers.md.\n';
/** Helm's order of installation. */
const KINDS = ['PodDisruptionBudget', 'Secret', 'Service', 'StatefulSet', 'Ingress'];

/** Returns the manifests with these values over those of the chart. */
export function renderChart(values = {}) {
  const context = { Values: { ...parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')), ...values }, Release: { Name: 'neta-gateway' } };
  const folder = join(CHART, 'templates');
  const documents = readdirSync(folder).map(name => renderTemplate(readFileSync(join(folder, name), 'utf8'), context).trim());
  const rank = text => KINDS.indexOf(/^kind: (\w+)$/m.exec(text)?.[1]);
  const sorted = documents.filter(text => text !== '').sort((a, b) => rank(a) - rank(b));
  return `${HEADER}${sorted.join('\n---\n')}\n`;
}

function renderTemplate(text, context) {
  const read = path => path.split('.').reduce((value, name) => value?.[name], context);
  const conditions = /\{\{- if \.([\w.]+) \}\}(.*?)\{\{- end \}\}/gs;
  const blocks = /\s*\{\{- toYaml \.([\w.]+) \| nindent (\d+) \}\}/g;
  const rendered = text
    .replace(conditions, (_, path, inside) => (read(path) ? inside : ''))
    .replace(blocks, (_, path, width) => `\n${indent(stringify(read(path), { lineWidth: 0 }).trimEnd(), Number(width))}`)
    .replace(/\{\{ \.([\w.]+) \}\}/g, (_, path) => String(read(path)));
  const unknown = /\{\{.*?\}\}/.exec(rendered);
  if (unknown) throw new Error(`scripts/render_chart.mjs does not know ${unknown[0]}.`);
  return rendered;
}

const indent = (text, width) => text.replaceAll(/^/gm, ' '.repeat(width));

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(MANIFESTS, renderChart());
