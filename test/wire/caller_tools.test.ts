import { toCallerTools } from '../../src/wire/caller_tools';

const declare = (parameters: Record<string, unknown>) => toCallerTools([{ at: '/tools/0', name: 'f', parameters }], '/tools');

it.each([{}, { type: 'object' }, { type: ['object', 'null'] }, { oneOf: [{ type: 'object' }] }, { $ref: '#/$defs/a', $defs: { a: {} } }])(
  'takes the schema of an object, however it is written: %j',
  parameters => {
    expect(declare(parameters)).toEqual([{ name: 'f', description: '', parameters }]);
  },
);

it.each([{ type: 'string' }, { type: ['string', 'null'] }, { type: [] }, { type: null }])('refuses %j, and names the field', parameters => {
  expect(() => declare(parameters)).toThrow(expect.objectContaining({ code: 'invalid_request', param: '/tools/0/parameters' }));
});
