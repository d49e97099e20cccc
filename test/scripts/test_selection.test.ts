/** The test commands together run every test file, and `npm test` runs a test of each door, page and feature. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Selection {
  TELLING: { doors: Table; pages: Table; features: Table };
  kindOf(file: string): string;
  selectTests(selection: string): string[];
}
type Table = Record<string, string>;

const ROOT = join(__dirname, '../..');
const { TELLING, kindOf, selectTests }: Selection = require('../../scripts/test_selection.cjs');
const telling = Object.values(TELLING).flatMap(table => Object.values(table));

describe('the test commands', () => {
  it('run each file in exactly one of npm test and test:rest, and all of them in test:all', () => {
    expect([...selectTests('quick'), ...selectTests('rest')].sort()).toEqual(selectTests('all'));
    const found = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.test.ts'));
    expect(selectTests('all')).toHaveLength(found.length);
    expect(() => selectTests('fast')).toThrow('There is no selection "fast": expected unit, quick, rest or all.');
  });

  it.each([
    ['test/utils/clip_text.test.ts', 'unit', 'it starts no process'],
    ['test/door/conversation.test.ts', 'door', 'its helper starts a gateway'],
    ['test/layer_rules.test.ts', 'door', 'it starts another program'],
    ['test/door/crash.test.ts', 'slow', 'it starts gateways again'],
    ['test/adapter/postgres/postgres_store.test.ts', 'slow', 'it starts PostgreSQL'],
    ['test/e2e/turns.test.ts', 'slow', 'it starts a browser'],
    ['test/fault/short.test.ts', 'slow', 'it is a fault test'],
    ['test/hostile/hostile.test.ts', 'slow', 'it sends hostile input'],
  ])('count %s as %s: %s', (file, kind) => {
    expect([existsSync(join(ROOT, file)), kindOf(file)]).toEqual([true, kind]);
  });

  it('include in npm test a file for each door, page and feature', () => {
    expect(telling.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(selectTests('quick')).toEqual(expect.arrayContaining(telling));
    const registry = readFileSync(join(ROOT, 'web/src/views/view_registry.ts'), 'utf8');
    const views = [...registry.matchAll(/\{ name: '(\w+)'/g)].map(([, name]) => name);
    expect(Object.keys(TELLING.pages).sort()).toEqual(['chat', 'docs', 'embed', 'ops', ...views].sort());
  });
});
