import { readParamHeaders } from '../../../src/adapter/mcp/param_headers';

const named = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });
const schemaOf = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

it('finds headers at any depth of plain objects', () => {
  const inner = schemaOf({ zone: named('Zone', 'integer') });
  expect(readParamHeaders(schemaOf({ region: named('Region'), place: inner }))).toEqual({ hasHeaders: true, problem: undefined });
  expect(readParamHeaders(schemaOf({ region: { type: 'string' } }))).toEqual({ hasHeaders: false, problem: undefined });
  expect(readParamHeaders(undefined)).toEqual({ hasHeaders: false, problem: undefined });
});

it.each([
  ['an empty name', schemaOf({ a: named('') })],
  ['a name that is no token', schemaOf({ a: named('my header') })],
  ['a number', schemaOf({ a: named('A', 'number') })],
  ['an object', schemaOf({ a: named('A', 'object') })],
  ['two headers of one name', schemaOf({ a: named('Same'), b: named('same') })],
  ['an element of a list', schemaOf({ a: { type: 'array', items: named('A') } })],
  ['an argument that is there in some cases only', schemaOf({}, { anyOf: [schemaOf({ a: named('A') })] })],
  ['the whole of the arguments', schemaOf({}, { 'x-mcp-header': 'All' })],
])('says that the header is wrong: %s', (_name, schema) => {
  expect(readParamHeaders(schema).problem?.en).toContain('x-mcp-header is wrong');
});
