import { Type } from '@sinclair/typebox';
import { createDecoder } from '../../src/wire/decode';

describe('a decoder', () => {
  const decode = createDecoder(Type.Unknown());
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, at]));

  it('takes ten thousand names in one object and refuses more by their number, with the place', () => {
    expect(() => decode({ parameters: [named(10_000)] })).not.toThrow();
    expect(() => decode({ parameters: ['x', named(10_001)] })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: '/parameters/1', message: expect.stringContaining('10001 names; 10000') }),
    );
  });

  it('names the place of an own __proto__ and of nesting without end', () => {
    expect(() => decode(JSON.parse('{"a/b":{"__proto__":1}}'))).toThrow(expect.objectContaining({ param: '/a~1b/__proto__' }));
    const deep = JSON.parse(`${'['.repeat(65)}${']'.repeat(65)}`);
    expect(() => decode(deep)).toThrow(expect.objectContaining({ param: '/0'.repeat(64), message: expect.stringContaining('64 levels') }));
  });
});
