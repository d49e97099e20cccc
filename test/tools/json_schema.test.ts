/** Arguments of foreign tools, whose parameters are plain JSON Schema (neta.catalog.schema). */
import { schemaProblem, validateArguments } from '../../src/tools/validation';
import { cpuTime } from '../support/cpu_time';

const spec = (parameters: Record<string, unknown>) => ({ name: 'foreign', parameters: { type: 'object', ...parameters } });
const messageOf = (parameters: Record<string, unknown>, value: unknown): string => {
  const check = validateArguments(spec(parameters), value);
  return check.ok ? 'valid' : check.message;
};

describe('all rules of a plain JSON Schema are checked: neta.catalog.schema', () => {
  const properties = {
    city: { type: 'string', minLength: 2 },
    n: { type: 'integer', minimum: 1 },
    k: { enum: ['a', 'b'] },
    l: {
      type: 'array',
      maxItems: 2,
      uniqueItems: true,
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    },
    code: { type: 'string', pattern: '^\\d{3}$' },
    tree: { $ref: '#/$defs/node' },
  };
  const $defs = {
    node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: { type: 'number' } }, additionalProperties: false },
  };
  const schema = { properties, $defs, required: ['city'], additionalProperties: false };

  it.each([
    [{ city: 1 }, '- city: must be string, got 1'],
    [{ city: 'x' }, '- city: must be at least 2 characters long, got "x"'],
    [{}, '- city: is required, but missing'],
    [{ city: 'xx', n: 0 }, '- n: must be integer of at least 1, got 0'],
    [{ city: 'xx', n: 1.5 }, '- n: must be integer, got 1.5'],
    [{ city: 'xx', k: 'c' }, '- k: must be one of "a", "b", got "c"'],
    [{ city: 'xx', l: [{ id: '1' }, { id: '2' }, { id: '3' }] }, '- l: must have at most 2 items'],
    [
      {
        city: 'xx',
        l: [
          { id: '1', a: 2 },
          { a: 2, id: '1' },
        ],
      },
      '- l: must have no two items that are the same',
    ],
    [{ city: 'xx', l: [{ id: '1' }, {}] }, '- l.1.id: is required, but missing'],
    [{ city: 'xx', code: '12' }, '- code: must match the pattern ^\\d{3}$, got "12"'],
    [{ city: 'xx', tree: { next: { next: { value: 'deep' } } } }, '- tree.next.next.value: must be number, got "deep"'],
    [{ city: 'xx', tree: { next: { left: 1 } } }, '- tree.next.left: is not known'],
    [{ city: 'xx', town: 1 }, '- town: is no parameter of this tool; it has city, n, k'],
  ])('%j is refused, and the message names the field', (value, expected) => {
    expect(messageOf(schema, value)).toContain(expected);
  });

  it('accepts valid values, and drops null for an optional parameter', () => {
    const good = { city: 'xx', n: 1, k: 'a', l: [{ id: '1' }], code: '123', tree: { next: {} } };
    expect(validateArguments(spec(schema), good)).toEqual({ ok: true, value: good });
    expect(validateArguments(spec(schema), { city: 'xx', n: null })).toEqual({ ok: true, value: { city: 'xx' } });
  });

  it.each([
    ['2020-12', {}],
    ['07', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['2020-12 with an address of its own', { $id: 'https://schemas.example/tree' }],
  ])('reads a schema of draft %s that refers to itself as a whole', (_draft, more) => {
    const parameters = { ...more, properties: { child: { $ref: '#' }, name: { type: 'string' } } };
    expect(messageOf(parameters, { child: { child: { name: 'leaf' } } })).toBe('valid');
    expect(messageOf(parameters, { child: { child: { name: 1 } } })).toContain('- child.child.name: must be string');
  });

  it('reports a missing required field that JavaScript objects inherit', () => {
    expect(messageOf({ required: ['constructor'] }, {})).toContain('- constructor: is required, but missing');
  });

  it('names the field inside alternatives that do not match', () => {
    const anyOf = [{ type: 'string' }, { type: 'object', required: ['at'] }];
    expect(messageOf({ properties: { when: { anyOf } } }, { when: {} })).toMatch(/- when(\.at)?: /);
  });

  it.each([
    ['2020-12', 'https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
    ['07', 'http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
    ['none named, written as 07', undefined, { items: [{ type: 'string' }] }],
  ])('reads tuples of draft %s', (_draft, $schema, tuple) => {
    const parameters = { ...($schema && { $schema }), properties: { pair: { type: 'array', ...tuple } } };
    expect(messageOf(parameters, { pair: ['a'] })).toBe('valid');
    expect(messageOf(parameters, { pair: [1] })).toContain('- pair.0: must be string');
  });
});

describe('a schema of an older draft', () => {
  it.each<[string, object, object, object]>([
    ['an exclusive bound of draft 4', { n: { type: 'integer', minimum: 0, exclusiveMinimum: true } }, { n: 1 }, { n: 0 }],
    ['a bound that is not exclusive', { n: { type: 'integer', maximum: 5, exclusiveMaximum: false } }, { n: 5 }, { n: 6 }],
    ['a required property of draft 3', { n: { type: 'integer', required: true } }, { n: 1 }, {}],
    ['an id', { n: { id: 'x', type: 'integer' } }, { n: 1 }, { n: 'a' }],
  ])('is checked by its meaning: %s', (_, properties, good, bad) => {
    const parameters = { $schema: 'http://json-schema.org/draft-04/schema#', id: 'root', type: 'object', properties };
    expect(schemaProblem({ parameters })).toBeUndefined();
    expect(validateArguments({ name: 'x', parameters }, good).ok).toBe(true);
    expect(validateArguments({ name: 'x', parameters }, bad).ok).toBe(false);
  });
});

describe('a schema that cannot be used', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  let deep: Record<string, unknown> = {};
  for (let i = 0; i < 100; i++) deep = { properties: { a: deep } };

  it.each([
    ['is not JSON Schema', { type: 'strnig' }, /cannot be compiled/],
    ['refers to something elsewhere', { properties: { a: { $ref: 'https://schemas.example/a.json' } } }, /cannot be compiled/],
    ['refers to nothing', { properties: { a: { $ref: '#/$defs/a' } } }, /cannot be compiled/],
    ['is too long', { description: 'x'.repeat(70_000) }, /more than 65536 characters/],
    ['is too deep', deep, /nested more than 64 deep/],
    ['holds itself', cyclic, /cannot be written as JSON/],
    [
      'has more patterns than can be compiled soon',
      { patternProperties: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`^z${i}`, {}])) },
      /more than 200 patterns/,
    ],
    ['has a pattern that no linear engine runs', { properties: { a: { pattern: '(?=a)b' } } }, /cannot be compiled/],
    ['names an unknown draft and is none', { $schema: 'https://schemas.example/own', properties: [] }, /cannot be compiled/],
  ])('because it %s is reported, and each call is refused', (_why, parameters, reason) => {
    expect(schemaProblem({ parameters })?.en).toMatch(reason);
    expect(validateArguments({ name: 'foreign', parameters }, {})).toMatchObject({ ok: false, message: expect.stringMatching(reason) });
  });
});

describe('a hostile schema is checked within its step limit', () => {
  const soon = (parameters: Record<string, unknown>, value: unknown): string => {
    schemaProblem(spec(parameters));
    const startedAt = cpuTime();
    const message = messageOf(parameters, value);
    expect(cpuTime() - startedAt).toBeLessThan(1_500);
    return message;
  };

  it('with a pattern that backtracks', () => {
    expect(soon({ properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50_000)}!` })).toContain('must match the pattern');
  });

  it('with references that multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`d${i}`, { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }]),
    );
    expect(soon({ $defs: { ...$defs, d60: { const: 1 } }, properties: { a: { $ref: '#/$defs/d0' } } }, { a: 2 })).toContain(
      'too many steps',
    );
  });

  it.each([
    [
      'of two parts to each other',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } },
    ],
    ['of the whole to itself', { allOf: [{ $ref: '#' }] }],
    ['that are dynamic', { $dynamicAnchor: 'node', allOf: [{ $dynamicRef: '#node' }] }],
  ])('with references %s without end', (_what, parameters) => {
    expect(soon(parameters, { a: 1 })).toContain('too many steps');
    expect(soon({ properties: { a: { type: 'string' } } }, { a: 'next' })).toBe('valid');
  });

  it('with a long list of values for each of many items', () => {
    const values = Array.from({ length: 8_000 }, (_, i) => `e${i}`);
    const parameters = { properties: { a: { items: { enum: values } } } };
    expect(soon(parameters, { a: Array.from({ length: 100_000 }, () => 'e7999') })).toContain('too many steps');
    expect(soon(parameters, { a: ['e7999', 'e1'] })).toBe('valid');
  });

  it('with many patterns for each of many fields', () => {
    const patternProperties = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`^z${i}x*$`, {}]));
    const value = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]));
    expect(soon({ patternProperties }, value)).toContain('too many steps');
  });

  it('with recursion that reaches the same place twice', () => {
    const branch = { properties: { x: { $ref: '#/$defs/node' } } };
    let value: unknown = 'no object';
    for (let i = 0; i < 50; i++) value = { x: value };
    expect(
      soon({ $defs: { node: { type: 'object', anyOf: [branch, branch] } }, properties: { a: { $ref: '#/$defs/node' } } }, { a: value }),
    ).toContain('too many steps');
  });

  it('with many items that must differ', () => {
    const items = Array.from({ length: 50_000 }, (_, i) => ({ i }));
    expect(soon({ properties: { a: { uniqueItems: true } } }, { a: items })).toBe('valid');
  });
});
