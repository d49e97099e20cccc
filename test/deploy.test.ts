/** Boards and alerts against the numbers that a running gateway exports. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { METRICS, type MetricRow } from '../src/feature/telemetry/metric_table';
import { type AgentBench, startBench } from './support/agent_bench';
import { type MetricsText, readMetrics } from './support/metrics';

interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook_url: string };
}
interface Target {
  expr: string;
  refId: string;
  datasource: unknown;
  format?: string;
  instant?: boolean;
}
interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: unknown;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit: string } };
  targets?: Target[];
  panels?: unknown[];
}
interface Board {
  uid: string;
  schemaVersion: number;
  panels: Panel[];
  annotations: { list: { expr: string; datasource: unknown }[] };
  templating: { list: { name: string; type: string; query: string | { query: string }; datasource?: unknown }[] };
}

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap(group => group.rules);
const board = JSON.parse(read('deploy/grafana/neta-gateway.json')) as Board;
const panels = board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
const queries = [...rules.map(({ alert, expr }) => [alert, expr] as const), ...panels];
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Series of other exporters, and of Prometheus itself. */
const FOREIGN = /^(?:up|ALERTS|node_\w+|container_\w+)$/;
const COMMON_LABELS = ['job', 'instance', 'le', 'alertstate', 'kind'];
const rows: Record<string, MetricRow> = METRICS;

const baseOf = (name: string): string => (Object.hasOwn(rows, name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''));
/** The metrics of a query, each with the labels that it selects. */
function selectorsIn(query: string): { name: string; labels: string[] }[] {
  const names = [...query.matchAll(/\b((?:neta|gen_ai|http_server|mcp_client|nodejs|process)_\w+)(?:\{([^}]*)\})?(?=[\s[)]|$)/g)];
  return names
    .filter(([, name = '']) => !/^gen_ai_(?:provider_name|request_model|agent_name|tool_name)$/.test(name))
    .map(([, name = '', inside = '']) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }));
}
const groupedIn = (query: string): string[] =>
  [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map(label => label.trim()));

let bench: AgentBench;
let metrics: MetricsText;

beforeAll(async () => {
  bench = await startBench({ own: 'its metrics are read' });
  bench.model.onTurn('hello', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'Done.');
  await readMetrics(bench.gateway.url);
  await bench.rest.run({ input: 'hello' });
  metrics = await readMetrics(bench.gateway.url);
});
afterAll(() => bench?.stop());

it.each(queries)('%s asks for metrics and labels that the gateway exports: %s', (_, query) => {
  const selectors = selectorsIn(query);
  expect(selectors.length > 0 || query.split(/\W+/).some(word => FOREIGN.test(word))).toBe(true);
  const labels = new Set(COMMON_LABELS);
  for (const { name, labels: selected } of selectors) {
    expect(metrics.types.has(baseOf(name))).toBe(true);
    const own = [...COMMON_LABELS, ...(rows[baseOf(name)]?.labels ?? []), ...(rows[baseOf(name)] ? [] : selected)];
    expect(selected.filter(label => !own.includes(label))).toEqual([]);
    for (const label of own) labels.add(label);
  }
  expect(groupedIn(query).filter(label => !labels.has(label))).toEqual([]);
});

it.each(rules.map(rule => [rule.alert, rule] as const))('%s has its runbook in both languages', (alert, { annotations }) => {
  expect(annotations.runbook_url).toBe(`docs/runbooks/${alert}.md`);
  expect(existsSync(join(ROOT, annotations.runbook_url))).toBe(true);
  expect(existsSync(join(ROOT, `docs/runbooks/${alert}.zh-CN.md`))).toBe(true);
});

it('tests every alert', () => {
  const { tests } = parse(read('deploy/prometheus/alerts_test.yml')) as { tests: { name: string }[] };
  expect(tests.map(({ name }) => name)).toEqual(rules.map(({ alert }) => alert));
});

/** What Grafana's dashboard model knows: its own panels, and ids of units. */
const PANEL_TYPES = ['row', 'stat', 'timeseries', 'heatmap', 'bargauge', 'table'];
const UNITS = ['', 's', 'bytes', 'percentunit', 'currencyUSD', 'short', 'reqps', 'ops'];
const SOURCE = { type: 'prometheus', uid: '${datasource}' };

describe("the board follows Grafana's dashboard model", () => {
  const variables = board.templating.list;
  const charts = board.panels.filter(({ type }) => type !== 'row');

  it('has an id, a schema of Grafana 10 or newer, and panels that Grafana brings along', () => {
    expect(board.uid).toMatch(/^[\w-]{1,40}$/);
    expect(board.schemaVersion).toBeGreaterThanOrEqual(38);
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    expect(board.panels.filter(({ type }) => !PANEL_TYPES.includes(type)).map(({ title }) => title)).toEqual([]);
    expect(charts.filter(({ fieldConfig }) => !UNITS.includes(fieldConfig?.defaults.unit ?? '?')).map(({ title }) => title)).toEqual([]);
  });

  it('reads everything from the data source that the viewer chooses, by variables that are defined', () => {
    expect(variables.find(({ name }) => name === 'datasource')).toMatchObject({ type: 'datasource', query: 'prometheus' });
    const readers = [...variables.filter(({ type }) => type === 'query'), ...charts, ...charts.flatMap(({ targets = [] }) => targets)];
    for (const { datasource } of [...readers, ...board.annotations.list.filter(({ expr }) => expr)]) expect(datasource).toEqual(SOURCE);
    const used = [...JSON.stringify(board).matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name).filter(name => !name.startsWith('__'));
    expect([...new Set(used)].filter(name => !variables.some(variable => variable.name === name))).toEqual([]);
  });

  it('asks each query once, in the form that its panel draws', () => {
    for (const { title, type, targets = [] } of charts) {
      expect([title, targets.length > 0, new Set(targets.map(({ refId }) => refId)).size]).toEqual([title, true, targets.length]);
      const format = { heatmap: 'heatmap', table: 'table' }[type];
      expect([title, ...targets.map(target => target.format)]).toEqual([title, ...targets.map(() => format)]);
    }
  });

  it('places the panels in 24 columns, and none over another', () => {
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(board.panels.filter(({ gridPos: { x, w } }) => x < 0 || w < 1 || x + w > 24).map(({ title }) => title)).toEqual([]);
    expect(board.panels.filter(({ type, panels: inner }) => type === 'row' && inner?.length !== 0).map(({ title }) => title)).toEqual([]);
  });
});

const itWithPromtool = hasPromtool ? it : it.skip;
itWithPromtool(`promtool fires each alert for its numbers${hasPromtool ? '' : ' (skipped here: promtool is not installed)'}`, () => {
  const options = { cwd: join(ROOT, 'deploy/prometheus'), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts_test.yml'], options);
  expect({ status, stderr, stdout: stdout.trim() }).toMatchObject({ status: 0, stderr: '' });
});

itWithPromtool(`promtool reads every query of the board${hasPromtool ? '' : ' (skipped here: promtool is not installed)'}`, () => {
  const exprs = panels.map(([, expr]) => expr);
  const written = exprs.map((expr, i) => ({ record: `board:query_${i}`, expr }));
  const file = join(mkdtempSync(join(tmpdir(), 'neta-board-')), 'board.json');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules: written }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  rmSync(dirname(file), { recursive: true });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stderr: '', stdout: expect.stringContaining(`${exprs.length} rules found`) });
});
