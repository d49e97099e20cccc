import fc from 'fast-check';
import { schemaForModels, toSimpleTool } from '../../src/tools/schema_for_models';
import { strictProblem } from '../support/strict_schema';

type JsonObject = Record<string, unknown>;

const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const any = (description = 'Any JSON value.') => ({
  anyOf: [
    { type: 'string', description },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'string' } },
  ],
});
/** Schema of a property -> what the model server gets; undefined: the property is left out. */
const PROPERTIES: [name: string, schema: unknown, simple: unknown][] = [
  ['a plain one', { type: 'string', description: 'Name.', minLength: 1 }, { type: 'string', description: 'Name.', minLength: 1 }],
  ['an array without items', { type: 'array' }, { type: 'array', items: any() }],
  ['an array of anything', { type: 'array', items: true }, { type: 'array', items: any() }],
  [
    'a tuple',
    { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
    {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      description: 'Has 2 parts, in the order of the schemas.',
    },
  ],
  [
    'a tuple of 2020-12',
    { prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2 },
    { type: 'array', items: { type: 'number' }, minItems: 2, description: 'Has 2 parts, in the order of the schemas.' },
  ],
  ['an object without properties', { type: 'object' }, object({})],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'number' } },
    { ...object({}), description: 'Takes further fields, each of the form {"type":"number"}.' },
  ],
  [
    'a closed object',
    object({ a: { type: 'boolean' } }, { additionalProperties: false, required: ['a', 'b'] }),
    object({ a: { type: 'boolean' } }, { required: ['a'] }),
  ],
  ['nothing', {}, any()],
  ['true', true, any()],
  ['false', false, undefined],
  ['a type or null', { type: ['string', 'null'], description: 'City.' }, { type: 'string', description: 'City. May be null.' }],
  [
    'a schema or null',
    { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'Limit' },
    { type: 'integer', minimum: 1, description: 'Limit May be null.' },
  ],
  ['nullable', { type: 'string', nullable: true }, { type: 'string', description: 'May be null.' }],
  ['null alone', { type: 'null' }, { type: 'string' }],
  ['several types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [
    'oneOf',
    { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], description: 'Tags.' },
    {
      anyOf: [
        { type: 'string', description: 'Tags.' },
        { type: 'array', items: { type: 'string' } },
      ],
    },
  ],
  ['a const', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['constants', { anyOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
  [
    'an enum with null and an empty text',
    { enum: ['a', '', null] },
    { type: 'string', enum: ['a'], description: 'May be null. May be an empty text.' },
  ],
  ['an enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer', description: 'One of: 1,2.' }],
  ['a mixed enum', { enum: ['auto', 1] }, any('One of: "auto",1.')],
  ['an exclusive bound', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, { type: 'integer', minimum: 1, maximum: 9 }],
  [
    'an exclusive bound of draft 4',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', description: 'Greater than 0.' },
  ],
  [
    'a pattern, a format and a default',
    { type: 'string', pattern: '^a', format: 'uri', default: 'a:b' },
    { type: 'string', description: 'Must match the pattern "^a". Format: uri. Default: "a:b".' },
  ],
  [
    'allOf',
    { allOf: [object({ a: { type: 'string' } }, { required: ['a'] }), object({ b: { type: 'string' } })] },
    object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] }),
  ],
  ['a reference', { $ref: '#/definitions/R', description: 'Mine.' }, { type: 'string', description: 'Mine.' }],
  ['a recursive reference', { $ref: '#/$defs/Node' }, object({ next: object({}), name: { type: 'string' } })],
  ['a reference to nothing', { $ref: 'https://example.org/x' }, any()],
  ['a condition', { type: 'string', if: {}, else: false, not: { const: 'x' } }, { type: 'string' }],
  ['a type of another language', { type: 'int' }, { type: 'integer' }],
];
const ROOT = {
  $defs: { Node: object({ next: { $ref: '#/$defs/Node' }, name: { type: 'string' } }) },
  definitions: { R: { type: 'string' } },
};

describe('schemaForModels', () => {
  test.each(PROPERTIES)('a property with %s', (_, schema, simple) => {
    const made = schemaForModels({ ...ROOT, ...object({ p: schema }) }, 'en');
    expect(made).toEqual(object(simple === undefined ? {} : { p: simple }));
    expect(strictProblem(made)).toBeUndefined();
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['no properties', { type: 'object' }, object({})],
    ['$schema and $id', { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', ...object({}) }, object({})],
    [
      'groups of required fields',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      object({ a: { type: 'string' }, b: { type: 'string' } }, { description: 'Needs the fields of one of these groups: (a) (b).' }),
    ],
    [
      'variants by a discriminator',
      {
        type: 'object',
        oneOf: [
          object({ kind: { const: 'x' }, x: { type: 'number' } }, { required: ['kind', 'x'] }),
          object({ kind: { const: 'y' } }, { required: ['kind'] }),
        ],
      },
      object({ kind: { type: 'string', enum: ['x', 'y'] }, x: { type: 'number' } }, { required: ['kind'] }),
    ],
    ['a required of draft 3', object({ a: { type: 'string', required: true } }), object({ a: { type: 'string' } }, { required: ['a'] })],
    ['enum and not', { ...object({}), enum: [{}], not: {} }, object({})],
    ['a reference', { $ref: '#/$defs/Args', $defs: { Args: object({ q: { type: 'string' } }) } }, object({ q: { type: 'string' } })],
  ])('%s at the top', (_, schema, expected) => {
    expect(schemaForModels(schema, 'en')).toEqual(expected);
    expect(strictProblem(schemaForModels(schema, 'en'))).toBeUndefined();
  });

  test('cuts a long description of a tool, and keeps its last line', () => {
    const source = '(Tool of the MCP server "x".)';
    const wire = { type: 'function' as const, function: { name: 'x', description: `${'long '.repeat(500)}\n${source}`, parameters: {} } };
    const { description } = toSimpleTool(wire, 'en').function;
    expect(description).toMatch(/^long .*long +\.\.\.\n\(Tool of the MCP server "x"\.\)$/s);
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(toSimpleTool({ ...wire, function: { ...wire.function, description: 'y'.repeat(2_000) } }, 'en').function.description).toMatch(
      /^y{1020} \.\.\.$/,
    );
  });

  test('says in the language of the run what keywords cannot say', () => {
    expect(schemaForModels(object({ a: { type: ['string', 'null'] } }), 'zh-CN')).toEqual(
      object({ a: { type: 'string', description: '可以是 null。' } }),
    );
  });

  test('a reference that multiplies the schema is cut', () => {
    const $defs: JsonObject = { D0: { type: 'string' } };
    for (let i = 1; i < 30; i++) $defs[`D${i}`] = object({ a: { $ref: `#/$defs/D${i - 1}` }, b: { $ref: `#/$defs/D${i - 1}` } });
    const made = schemaForModels({ ...object({ d: { $ref: '#/$defs/D29' } }), $defs }, 'en');
    expect(JSON.stringify(made).length).toBeLessThan(60_000);
    expect(strictProblem(made)).toBeUndefined();
  });

  test('makes of any schema one that strict servers take', () => {
    const name = fc.constantFrom('a', 'b', 'type', 'required', '__proto__', '名');
    const { schema } = fc.letrec<{ schema: unknown }>(tie => ({
      schema: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.boolean(),
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom('string', 'object', 'array', 'integer', 'number', 'boolean', 'null', 'any'),
              fc.array(fc.constantFrom('string', 'null', 'object', 'integer', 'array')),
            ),
            $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/a', '#/%', 'x'),
            properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
            required: fc.oneof(fc.boolean(), fc.array(fc.oneof(name, fc.integer()))),
            items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
            prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
            anyOf: fc.array(tie('schema'), { maxLength: 3 }),
            oneOf: fc.array(tie('schema'), { maxLength: 3 }),
            allOf: fc.array(tie('schema'), { maxLength: 3 }),
            not: tie('schema'),
            additionalProperties: tie('schema'),
            $defs: fc.dictionary(name, tie('schema'), { maxKeys: 2 }),
            enum: fc.array(fc.jsonValue({ maxDepth: 1 })),
            const: fc.jsonValue({ maxDepth: 1 }),
            default: fc.jsonValue({ maxDepth: 1 }),
            description: fc.oneof(fc.string(), fc.constant('x'.repeat(1_100)), fc.integer()),
            nullable: fc.boolean(),
            minimum: fc.oneof(fc.double(), fc.string()),
            exclusiveMinimum: fc.oneof(fc.boolean(), fc.double()),
            minItems: fc.oneof(fc.integer(), fc.constant('1')),
            pattern: fc.string(),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, given => {
        const made = schemaForModels(typeof given === 'object' ? (given as JsonObject) : {}, 'en');
        expect(strictProblem(made)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
