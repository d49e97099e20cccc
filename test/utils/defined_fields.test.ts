import { definedFields } from '../../src/utils/defined_fields';

it('leaves out undefined fields alone, and keeps the order of the others', () => {
  const value = { b: 0, gone: undefined, a: '', no: false, nothing: null };
  expect(JSON.stringify(definedFields(value))).toBe('{"b":0,"a":"","no":false,"nothing":null}');
  expect(Object.keys(definedFields(value))).toEqual(['b', 'a', 'no', 'nothing']);
});
