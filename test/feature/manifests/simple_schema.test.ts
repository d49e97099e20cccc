import { toSimpleSchema } from '../../../src/feature/manifests/simple_schema';
import { validateArguments } from '../../../src/tools/validation';

const closed = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const USUAL = closed(
  {
    text: { type: 'string', minLength: 2, description: 'A text' },
    count: { type: 'integer', minimum: 1, default: 3 },
    unit: { type: 'string', enum: ['m', 'km'] },
    flags: { type: 'array', items: { type: 'boolean' }, maxItems: 2 },
    inner: closed({ ratio: { type: 'number' } }, ['ratio']),
  },
  ['text'],
);

it.each([
  { text: 'ab' },
  { text: 'a' },
  { count: 2 },
  { text: 'ab', count: 0 },
  { text: 'ab', count: 1.5 },
  { text: 'ab', unit: 'mm' },
  { text: 'ab', flags: [true, false, true] },
  { text: 'ab', flags: ['x'] },
  { text: 'ab', inner: {} },
  { text: 'ab', inner: { ratio: 0.5 }, unit: 'km', flags: [] },
  { text: 'ab', more: 1 },
  { text: 7 },
])('decides about %j as the plain schema does', value => {
  const simple = toSimpleSchema(USUAL);
  expect(simple).toBeDefined();
  expect(validateArguments({ name: 't', parameters: simple! }, value).ok).toBe(
    validateArguments({ name: 't', parameters: USUAL }, value).ok,
  );
});

it.each([
  [{ type: 'string', pattern: '^a' }],
  [{ type: 'string', format: 'email' }],
  [{ type: 'strange' }],
  [{ type: ['string', 'null'] }],
  [{ type: 'integer', minimum: 'two' }],
  [{ type: 'string', enum: [1] }],
  [{ anyOf: [{ type: 'string' }] }],
  [{ type: 'object', properties: {} }],
  [{ type: 'array', uniqueItems: true }],
])('leaves %j to ajv', part => {
  expect(toSimpleSchema(closed({ part }))).toBeUndefined();
});
