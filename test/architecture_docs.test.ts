/** docs/architecture.md against the code: arrows, the walk of a chat turn, the files of ten behaviours, and the parts of a feature. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const PAGE = 'docs/architecture.md';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The text of the section with this heading. */
const sectionOf = (heading: string): string =>
  read(PAGE)
    .split(/^## /m)
    .find(part => part.startsWith(`${heading}\n`)) ?? '';

/** Any file may import these; the diagrams leave them out. */
const SHARED = new Set(['errors.ts', 'utils']);

/** A folder of src or a file beside them, or `config`. */
const roomOf = (path: string): string | undefined => (/^config\//.test(path) ? 'config' : /^src\/([^/]+)/.exec(path)?.[1]);

function realArrows(): string[] {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [bin, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'config'];
  const text = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { modules } = JSON.parse(text) as { modules: { source: string; dependencies: { resolved: string }[] }[] };
  const arrows = new Set<string>();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)];
      if (from && to && from !== to && !SHARED.has(from) && !SHARED.has(to)) arrows.add(`${from} --> ${to}`);
    }
  }
  return [...arrows].sort();
}

function drawnArrows(): string[] {
  const lines = [...read(PAGE).matchAll(/^```mermaid\n(.*?)^```$/gms)].flatMap(([, code = '']) => code.split('\n'));
  return lines
    .flatMap(line => {
      const [, from, targets = ''] = /^\s+(\S+) -->(?:\|[^|]*\|)? (.+)$/.exec(line) ?? [];
      return from ? targets.split(' & ').map(to => `${from} --> ${to}`) : [];
    })
    .sort();
}

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => read(`src/${path}`));

/** Returns true when a class of this name has the method, or a function, class or constant of this name exists. */
function isInCode(name: string): boolean {
  const [first = '', method] = name.split('.');
  const owners = sources.filter(text => new RegExp(`(class|interface|function|const) ${first}\\b`).test(text));
  return method === undefined ? owners.length > 0 : owners.some(text => new RegExp(`^ {2}(?:\\w+ )*${method}[(<]`, 'm').test(text));
}

describe(PAGE, () => {
  it('draws every arrow between rooms, and no other', () => {
    expect(drawnArrows()).toEqual(realArrows());
  });

  it('names ten behaviours by files that exist', () => {
    const rows = sectionOf('Ten behaviours and their files')
      .split('\n')
      .filter(line => line.includes('`src/'));
    expect(rows).toHaveLength(10);
    const files = rows.flatMap(row => [...row.matchAll(/`(src\/[^`]+)`/g)].map(([, file = '']) => file));
    expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('walks a chat turn through methods and functions that exist', () => {
    const names = [...sectionOf('Life of a chat turn').matchAll(/`((?:[A-Z]\w+\.)?[a-z]+[A-Z]\w*|[A-Z]\w+(?:\.\w+)?)`/g)].map(
      ([, name = '']) => name,
    );
    const known = new Set(['maxToolIterations', 'sessionId', 'runId']);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter(name => !known.has(name) && !isInCode(name))).toEqual([]);
  });

  it('shows every folder of src in the tree', () => {
    const tree = sectionOf('The tree');
    const folders = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(path => statSync(join(ROOT, 'src', path)).isDirectory())
      .filter(path => path.split('/').length <= 2);
    expect(folders.filter(path => !tree.includes(`${path.split('/').at(-1)}/`))).toEqual([]);
  });

  it('names every part that a feature may give to the core', () => {
    const [, parts = ''] = /interface FeatureParts \{(.*?)^\}/ms.exec(read('src/feature.ts')) ?? [];
    const table = read(PAGE).split('| kind | parts |')[1]?.split('\n\n')[0] ?? '';
    const named = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual([...parts.matchAll(/^ {2}(\w+)\??[:(]/gm)].map(([, name]) => name).sort());
  });

  it('shows code of existing files as it is there', () => {
    const blocks = [...read(PAGE).matchAll(/^```ts\n\/\/ (src\/\S+)\n(.*?)^```$/gms)].filter(([, file = '']) =>
      existsSync(join(ROOT, file)),
    );
    expect(blocks).not.toEqual([]);
    for (const [, file = '', code] of blocks) expect(read(file)).toContain(code);
  });
});
