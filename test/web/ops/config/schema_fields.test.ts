import { fieldsOf } from '../../../../web/src/ops/config/schema_fields';

it('lists the fields of a schema with their paths, values and meanings', () => {
  const limits = {
    type: 'object',
    properties: { tokensPerDay: { type: 'integer', minimum: 1, description: 'tokens of a day', 'x-description-zh-CN': '一天的 token' } },
  };
  const schema = {
    type: 'object',
    properties: {
      default: limits,
      keys: { type: 'object', patternProperties: { '^.*$': limits } },
      rules: { type: 'array', items: { properties: { decision: { anyOf: [{ const: 'ask' }, { const: 'deny' }] } } } },
    },
  };
  expect(fieldsOf(schema, 'en').map(({ path, type }) => `${path}: ${type}`)).toEqual([
    'default: object',
    'default.tokensPerDay: integer ≥ 1',
    'keys: object',
    'keys.<name>: object',
    'keys.<name>.tokensPerDay: integer ≥ 1',
    'rules: array',
    'rules[]: ',
    'rules[].decision: "ask" | "deny"',
  ]);
  expect(fieldsOf(schema, 'en')[1]?.description).toBe('tokens of a day');
  expect(fieldsOf(schema, 'zh-CN')[1]?.description).toBe('一天的 token');
});
