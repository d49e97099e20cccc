import { type AgentTool, textResult } from '../../src/tools/common';
import { isUnusable, type ToolEntry } from '../../src/tools/foreign_tools';
import { ToolRegistry } from '../../src/tools/registry';
import { compileSchemas } from '../../src/tools/validation';
import { inBoth } from '../../src/utils/bilingual';
import { cpuTime } from '../support/cpu_time';

const tool = (name: string, more: Partial<AgentTool> = {}): AgentTool => ({
  name,
  toolset: name.split('__')[0] ?? name,
  origin: 'mcp',
  label: name,
  description: `Does ${name}.`,
  effect: 'external',
  parameters: { type: 'object', properties: {} },
  execute: async () => textResult(name),
  ...more,
});

const namesOf = (registry: ToolRegistry) => registry.list().map(({ name }) => name);
const problemsOf = (entry: ToolEntry | undefined) => (entry && isUnusable(entry) ? entry.problems.map(({ en }) => en) : []);
/** The problems of one tool in a registry with the tool `known`. */
const problemsWith = (entry: ToolEntry): readonly string[] => {
  const registry = new ToolRegistry([tool('known', { origin: 'builtin' })]);
  registry.replaceTools(entry.toolset, [entry]);
  expect(registry.list()).toHaveLength(problemsOf(registry.listForeign()[0]).length === 0 ? 2 : 1);
  return problemsOf(registry.listForeign()[0]);
};

describe('the tools of a source (beaver.registry)', () => {
  it('are found, listed, described and run like registered ones', async () => {
    const registry = new ToolRegistry([tool('known', { origin: 'builtin' })]);
    registry.replaceTools('git', [tool('git__commit', { always: true })]);
    expect(namesOf(registry)).toEqual(['known', 'git__commit']);
    expect(registry.listAlwaysSpecs().map(({ name, origin }) => [name, origin])).toEqual([['git__commit', 'mcp']]);
    expect(registry.exportSelectedProviderSchemas(['git__commit'])).toHaveLength(1);
    expect(await registry.execute('git__commit', {}, {} as never)).toMatchObject({ success: true, content: 'git__commit' });
    expect([registry.toolsets(), registry.sourceToolsets()]).toEqual([['known', 'git'], ['git']]);
  });

  it('are replaced in one step, and the version says so', () => {
    const registry = new ToolRegistry([tool('known', { origin: 'builtin' })]);
    const versions = [registry.version];
    registry.replaceTools('git', [tool('git__a'), tool('git__b')]);
    versions.push(registry.version);
    const kept = registry.get('git__a');
    registry.replaceTools('git', [tool('git__b'), tool('git__c')]);
    versions.push(registry.version);
    expect(namesOf(registry)).toEqual(['known', 'git__b', 'git__c']);
    expect(kept?.name).toBe('git__a');
    registry.replaceTools('git', []);
    versions.push(registry.version);
    expect(namesOf(registry)).toEqual(['known']);
    expect(new Set(versions).size).toBe(4);
  });

  it('keep the place of their source, which an empty list reserves', () => {
    const registry = new ToolRegistry();
    registry.replaceTools('slow', []);
    registry.replaceTools('fast', [tool('fast__a')]);
    registry.replaceTools('slow', [tool('slow__a')]);
    expect(namesOf(registry)).toEqual(['slow__a', 'fast__a']);
    expect(registry.toolsets()).toEqual(['slow', 'fast']);
  });

  it('of a server and of a manifest with the same name stand side by side', () => {
    const registry = new ToolRegistry();
    registry.replaceTools('git', [tool('git__a')], 'mcp');
    registry.replaceTools('git', [tool('git__b', { origin: 'manifest' })], 'manifest');
    expect(namesOf(registry)).toEqual(['git__a', 'git__b']);
    registry.replaceTools('git', [], 'mcp');
    expect(namesOf(registry)).toEqual(['git__b']);
  });

  it('never replace a known tool, nor one of an earlier source; the name is free again when its owner is gone', () => {
    const known = tool('known', { origin: 'builtin' });
    const registry = new ToolRegistry([known]);
    const first = tool('same', { toolset: 'a' });
    registry.replaceTools('a', [first, tool('same', { toolset: 'a' }), tool('known', { toolset: 'a' })]);
    registry.replaceTools('b', [tool('same', { toolset: 'b' })]);
    expect([registry.get('known'), registry.get('same')]).toEqual([known, first]);
    expect(registry.listForeign().map(problemsOf)).toEqual([
      [],
      ['the name same is taken by another tool of the toolset a'],
      ['the name known is taken by a tool of the gateway'],
      ['the name same is taken by another tool of the toolset a'],
    ]);
    registry.replaceTools('a', []);
    expect(registry.get('same')?.toolset).toBe('b');
  });

  it('are listed with the reasons of their source', () => {
    const registry = new ToolRegistry();
    registry.replaceTools('git', [
      {
        name: 'git__x',
        toolset: 'git',
        label: 'X',
        origin: 'manifest',
        problems: [inBoth('no python here', '没有 python'), inBoth('and no node', '也没有 node')],
      },
    ]);
    expect(registry.problemOf('git__x')).toEqual(inBoth('no python here; and no node', '没有 python；也没有 node'));
    expect([registry.has('git__x'), registry.problemOf('git__y')]).toEqual([false, undefined]);
  });
});

describe('a hostile tool is disabled alone, with the reason (beaver.registry)', () => {
  const big = { type: 'object', description: 'x'.repeat(1_000_000) };
  it.each<[string, Partial<AgentTool>, RegExp]>([
    ['the name __proto__', { name: '__proto__' }, /^its name is __proto__$/],
    ['a name over 64 characters', { name: 'x'.repeat(65) }, /^its name has 65 characters, more than 64$/],
    ['a control character in its name', { name: 'a\u0007b' }, /^its name must consist of/],
    ['a name with a path', { name: '../etc' }, /^its name must consist of/],
    ['the name of another toolset', { toolset: 'other' }, /^it belongs to the toolset other, not to x$/],
    [
      'a control character in its description',
      { description: 'Reads\u001b[2J files.' },
      /^its description holds the invisible character U\+001B$/,
    ],
    ['text that is turned around', { description: 'Reads \u202Eselif.' }, /^its description holds the invisible character U\+202E$/],
    [
      'hidden words in tag characters',
      { description: 'Reads.\u{E0041}\u{E0042}' },
      /^its description holds the invisible character U\+E0041$/,
    ],
    ['a label with a zero width space', { label: 'Re\u200Bad' }, /^its label holds the invisible character U\+200B$/],
    ['a description of a megabyte', { description: 'x'.repeat(1_000_000) }, /^its description has more than 10000 characters$/],
    ['a schema of a megabyte', { parameters: big }, /^its schema has more than 65536 characters$/],
    [
      'a schema with hidden words',
      { parameters: { type: 'object', description: 'a\u2066b' } },
      /^its schema holds the invisible character U\+2066$/,
    ],
    ['a schema that is no object', { parameters: { type: 'string' } }, /^its schema is not of the type object$/],
    ['a schema without a type', { parameters: {} }, /^its schema is not of the type object$/],
    ['a schema that cannot be compiled', { parameters: { type: 'object', required: 'no' } }, /^its schema cannot be compiled: /],
    [
      'a schema with a reference to nowhere',
      { parameters: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } },
      /^its schema cannot be compiled: /,
    ],
    ['a schema that is nested too deep', { parameters: { type: 'object', ...nested(100) } }, /^its schema is nested more than 64 deep$/],
  ])('%s', (_what, more, reason) => {
    const bad = tool('x', { toolset: 'x', ...more });
    const registry = new ToolRegistry([tool('known', { origin: 'builtin' })]);
    registry.replaceTools('x', [tool('x__good'), bad]);
    expect(namesOf(registry)).toEqual(['known', 'x__good']);
    expect(problemsOf(registry.listForeign()[1])).toEqual([expect.stringMatching(reason)]);
  });

  it('is shown with a short name without invisible characters', () => {
    const registry = new ToolRegistry();
    registry.replaceTools('x', [tool(`a\u0007${'b'.repeat(1_000)}`, { toolset: 'x' })]);
    expect(registry.listForeign()[0]?.name).toMatch(/^a<U\+0007>b{50,120}/);
    expect(registry.listForeign()[0]?.name.length).toBeLessThanOrEqual(110);
  });

  it.each<[string, Partial<AgentTool>]>([
    ['an emoji of several parts', { label: '👩‍💻', description: 'Two\nlines\tand a tab.' }],
    ['an object or null', { parameters: { type: ['object', 'null'], properties: { a: { type: 'string' } } } }],
    [
      'a pattern that names control characters',
      { parameters: { type: 'object', properties: { a: { type: 'string', pattern: '^[\u0000-\u007f]*$' } } } },
    ],
    [
      'a schema of draft 07',
      {
        parameters: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          definitions: { a: { type: 'string' } },
          properties: { a: { $ref: '#/definitions/a' } },
        },
      },
    ],
    [
      'a schema of draft 2020-12',
      {
        parameters: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          $defs: { a: { type: 'string' } },
          properties: { a: { $ref: '#/$defs/a' }, b: { prefixItems: [{ type: 'string' }] } },
        },
      },
    ],
  ])('%s is no problem', (_what, more) => {
    expect(problemsWith(tool('x', { toolset: 'x', ...more }))).toEqual([]);
  });
});

describe('schemas of a source', () => {
  const objectWith = (properties: Record<string, unknown>) => ({ type: 'object', properties });
  const many = (count: number, make: (i: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, make(i)]));
  const references = (i: number) => ({ anyOf: Array.from({ length: 12 }, () => ({ $ref: `#/$defs/p${Math.min(39, i + 1)}` })) });
  /** As costly to compile as the limits allow. */
  const COSTLY: readonly [string, Record<string, unknown>][] = [
    ['590 properties', objectWith(many(590, () => ({ type: 'string' })))],
    ['590 alternatives', objectWith({ a: { oneOf: Array.from({ length: 590 }, (_, i) => ({ const: `c${i}` })) } })],
    ['190 patterns', objectWith(many(190, i => ({ type: 'string', pattern: `^(a|b|${i}){1,20}[a-z]{1,100}$` })))],
    ['a long repetition', objectWith({ a: { type: 'string', pattern: `(${'a?'.repeat(24)}){1000}` } })],
    ['references that multiply', { ...objectWith({ a: { $ref: '#/$defs/p0' } }), $defs: many(40, i => references(i)) }],
    ['a schema that refers to itself', objectWith({ a: { $ref: '#' } })],
    ['a long enum', objectWith({ a: { enum: Array.from({ length: 6_000 }, (_, i) => `v${i}`) } })],
  ];

  it.each(COSTLY)('with %s are compiled within the limits of the event loop', (_what, parameters) => {
    const started = cpuTime();
    expect(problemsWith(tool('x', { toolset: 'x', parameters }))).toEqual([]);
    // About 0.1 s of processor time; without the limits, up to 8 s.
    expect(cpuTime() - started).toBeLessThan(2_000);
  });

  it.each([
    ['1,500 properties', objectWith(many(1_500, () => ({ type: 'string' }))), 'its schema has more than 600 parts'],
    ['12,000 alternatives', objectWith({ a: { anyOf: Array.from({ length: 12_000 }, () => ({})) } }), 'its schema has more than 600 parts'],
    ['300 patterns', objectWith(many(300, () => ({ type: 'string', pattern: 'a' }))), 'its schema has more than 200 patterns'],
    [
      'patterns that would need gigabytes',
      objectWith(many(150, i => ({ type: 'string', pattern: `(${'a?'.repeat(150)}b${i}){900}` }))),
      'its schema has patterns that repeat too much',
    ],
  ])('with %s are refused before they are compiled', (_what, parameters, reason) => {
    const started = cpuTime();
    expect(problemsWith(tool('x', { toolset: 'x', parameters }))).toEqual([reason]);
    expect(cpuTime() - started).toBeLessThan(500);
  });

  it('are compiled in advance with pauses, so that replacing is quick', async () => {
    const tools = Array.from({ length: 60 }, (_, i) =>
      tool(`x__t${i}`, { parameters: objectWith(many(30, j => ({ type: 'string', minLength: i + j }))) }),
    );
    let pauses = 0;
    const counter = setInterval(() => pauses++, 0);
    await compileSchemas(tools);
    clearInterval(counter);
    const started = cpuTime();
    const registry = new ToolRegistry();
    registry.replaceTools('x', tools);
    expect(cpuTime() - started).toBeLessThan(50);
    expect(registry.list()).toHaveLength(60);
    expect(pauses).toBeGreaterThan(5);
  });
});

function nested(depth: number): Record<string, unknown> {
  return depth === 0 ? {} : { properties: { a: nested(depth - 1) } };
}
