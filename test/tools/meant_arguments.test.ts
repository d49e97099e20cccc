import { Type } from '@sinclair/typebox';
import '../../src/builtin_tools';
import { getSchema } from '../../src/tools/catalog';
import { validateArguments } from '../../src/tools/validation';

type Schema = Record<string, unknown>;

const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const closed = { additionalProperties: false };
const integer = { type: 'integer' };
const list = { type: 'array', items: integer };
const union = (...anyOf: Schema[]): Schema => ({ anyOf });

const parameters: Schema = object(
  {
    list,
    object: object({ a: integer, flags: { type: 'array', items: { type: 'boolean' } } }, closed),
    integer,
    number: { type: 'number' },
    boolean: { type: 'boolean' },
    text: { type: 'string' },
    any: {},
    code: { type: 'string', pattern: '^x' },
    nullable: { type: ['integer', 'null'] },
    textOrList: union({ type: 'string' }, list),
    choice: { enum: ['auto', 1, 2] },
    listOrNothing: union(list, { type: 'null' }),
    either: union(object({ kind: { const: 'a' }, n: integer }, closed), object({ kind: { const: 'b' }, n: { type: 'string' } }, closed)),
    ambiguous: { oneOf: [object({ n: list, m: integer }), object({ n: { type: 'string' }, m: integer })] },
    map: { type: 'object', additionalProperties: integer },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, integer] },
    tree: { $ref: '#/$defs/tree' },
    both: { allOf: [object({ a: integer }), object({ b: list })] },
    byForm: { type: 'object', properties: { a: integer, b: integer }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  },
  { ...closed, $defs: { tree: object({ n: integer, children: { type: 'array', items: { $ref: '#/$defs/tree' } } }, { required: ['n'] }) } },
);

const read = (schema: Schema, args: unknown): unknown => {
  const check = validateArguments({ name: 'x', parameters: schema }, args);
  return check.ok ? check.value : check.message;
};

describe('arguments are read as the schema means them', () => {
  it.each<[name: string, sent: unknown, meant: unknown]>([
    ['list', '[1, 2]', [1, 2]],
    ['list', ['1', 2], [1, 2]],
    ['list', '["1","2"]', [1, 2]],
    ['list', '"[1]"', [1]],
    ['object', '{"a":"1","flags":"[\\"true\\"]"}', { a: 1, flags: [true] }],
    ['object', { flags: ['True', 'false'] }, { flags: [true, false] }],
    ['integer', ' 3 ', 3],
    ['integer', '3.0', 3],
    ['number', '-2.5e1', -25],
    ['number', '0.1', 0.1],
    ['boolean', 'true', true],
    ['nullable', '7', 7],
    ['nullable', 'null', null],
    ['choice', '2', 2],
    ['listOrNothing', '["1"]', [1]],
    ['either', '{"kind":"a","n":"1"}', { kind: 'a', n: 1 }],
    ['either', '{"kind":"b","n":"1"}', { kind: 'b', n: '1' }],
    ['map', '{"k":"1"}', { k: 1 }],
    ['pair', '["1","1"]', ['1', 1]],
    ['tree', { n: '1', children: '[{"n":"2"}]' }, { n: 1, children: [{ n: 2 }] }],
    ['both', { a: '1', b: '[2]' }, { a: 1, b: [2] }],
    ['byForm', '{"a":"1"}', { a: 1 }],
  ])('%s: %j', (name, sent, meant) => {
    expect(read(parameters, { [name]: sent })).toEqual({ [name]: meant });
  });

  it.each<[name: string, sent: unknown]>([
    ['text', '[1]'],
    ['text', '3'],
    ['any', '{"a":1}'],
    ['textOrList', '[1]'],
    ['choice', 'auto'],
  ])('%s stays the text %j that the schema allows, beside a field that is read', (name, sent) => {
    expect(read(parameters, { [name]: sent, integer: '1' })).toEqual({ [name]: sent, integer: 1 });
  });

  it.each<[name: string, sent: unknown]>([
    ['list', '1,2'],
    ['list', '[1, 2'],
    ['list', '{"a":1}'],
    ['list', '["x"]'],
    ['object', '{"b":1}'],
    ['integer', '3.5'],
    ['integer', '0x10'],
    ['integer', ''],
    ['integer', '9007199254740993'],
    ['number', '1e999'],
    ['boolean', 'yes'],
    ['boolean', '1'],
    ['code', '["x"]'],
    ['ambiguous', '{"n":"[1]","m":"1"}'],
    ['list', '['.repeat(80) + ']'.repeat(80)],
  ])('%s: %j has not one meaning and is refused', (name, sent) => {
    expect(read(parameters, { [name]: sent })).toMatch(/are not valid/);
  });

  const needsPath = object({ path: { type: 'string' }, n: integer }, { required: ['path'] });

  it.each<[what: string, schema: Schema, sent: unknown, meant: unknown]>([
    ['parameters', needsPath, { parameters: { path: '1', n: '2' } }, { path: '1', n: 2 }],
    ['arguments, as text', needsPath, { arguments: '{"path":"1"}' }, { path: '1' }],
    ['input, with null', { ...needsPath, ...closed }, { input: { path: 'a', n: null } }, { path: 'a' }],
  ])('takes them out of the field %s', (_what, schema, sent, meant) => {
    expect(read(schema, sent)).toEqual(meant);
  });

  it.each<[what: string, schema: Schema, sent: unknown]>([
    [
      'that the tool has',
      object({ input: { type: 'string' }, path: { type: 'string' } }, { required: ['path'] }),
      { input: { path: 'a' } },
    ],
    ['that a form has', { type: 'object', required: ['path'], oneOf: [object({ input: {} })] }, { input: { path: 'a' } }],
    ['of a map', { type: 'object', additionalProperties: integer }, { input: { a: 1 } }],
    ['beside others', needsPath, { input: { path: 'a' }, n: 1 }],
    ['that does not fit', { ...needsPath, ...closed }, { input: { file: 'a' } }],
    ['of another name', needsPath, { data: { path: 'a' } }],
  ])('does not take them out of a field %s', (_what, schema, sent) => {
    expect(read(schema, sent)).toMatch(/are not valid/);
  });

  it('reads the arguments of built-in tools, and tells of mistakes inside a text', () => {
    const todo = getSchema('todo');
    if (!todo) throw new Error('no todo');
    const todos = [{ id: '1', content: '[a]', status: 'pending' }];
    expect(validateArguments(todo, { todos: JSON.stringify(todos) })).toEqual({ ok: true, value: { todos } });
    const wrong = validateArguments(todo, { todos: JSON.stringify([{ ...todos[0], status: 'done' }]) });
    expect(wrong).toMatchObject({ ok: false, message: expect.stringContaining('todos.0.status: must be one of') });
  });

  it('checks the length of a list that came as text before its items', () => {
    const spec = { name: 'x', parameters: Type.Object({ a: Type.Array(Type.Unknown(), { maxItems: 3, uniqueItems: true }) }) };
    const check = validateArguments(spec, { a: JSON.stringify(Array.from({ length: 20_000 }, () => ({}))) });
    expect(check).toMatchObject({ ok: false, message: expect.stringContaining('a: must have at most 3 items') });
  });

  it('gives up on unions that multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`d${i}`, union({ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}`, title: 'b' })]),
    );
    const schema = object({ a: { $ref: '#/$defs/d0' } }, { required: ['b'], $defs: { ...$defs, d30: list } });
    expect(read(schema, { a: '["x"]' })).toMatch(/are not valid/);
    expect(read({ ...schema, anyOf: [{ $ref: '#/$defs/d0' }] }, { input: { a: 1 } })).toMatch(/are not valid/);
  });
});
