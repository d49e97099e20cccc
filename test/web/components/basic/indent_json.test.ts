import fc from 'fast-check';
import { indentJson } from '../../../../web/src/components/basic/indent_json';

describe('JSON for people', () => {
  it('keeps every number, string and repeated key as it is written', () => {
    expect(indentJson('{"id":7234567890123456789,"price":1.0,"id":[-0,1e5,"\\u4e2d\\"{,}"]}')).toBe(
      '{\n  "id": 7234567890123456789,\n  "price": 1.0,\n  "id": [\n    -0,\n    1e5,\n    "\\u4e2d\\"{,}"\n  ]\n}',
    );
  });

  it('lays out values as JSON.stringify does, from any layout', () => {
    const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 4, '\t'), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        expect(indentJson(` ${text}\n`)).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    );
  });

  it('leaves text alone that is no JSON object or list, or too deep', () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    expect(['{"a":', '"a"', '12', '[1] [2]', deep].map(indentJson)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
