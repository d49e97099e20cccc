import { Type } from '@sinclair/typebox';
import { createDecoder } from '../../src/wire/decode';
import { NOT_BLANK } from '../../src/wire/not_blank';

describe('a decoder', () => {
  const decode = createDecoder(Type.Unknown());
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, at]));

  it('takes ten thousand names in one object and refuses more by their number, with the place', () => {
    expect(() => decode({ parameters: [named(10_000)] })).not.toThrow();
    expect(() => decode({ parameters: ['x', named(10_001)] })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: '/parameters/1', message: expect.stringContaining('10001 names; 10000') }),
    );
  });

  it.each([
    ['  ', '/q: must not be blank.'],
    ['x'.repeat(11), '/q: expected string length less or equal to 10.'],
  ])('says of the text %j what is wrong with it', (text, message) => {
    const decodeText = createDecoder(Type.Object({ q: Type.String({ pattern: NOT_BLANK, maxLength: 10 }) }));
    expect(() => decodeText({ q: text })).toThrow(expect.objectContaining({ param: '/q', message }));
  });

  it('names the place of an own __proto__ and of nesting without end', () => {
    expect(() => decode(JSON.parse('{"a/b":{"__proto__":1}}'))).toThrow(expect.objectContaining({ param: '/a~1b/__proto__' }));
    const deep = JSON.parse(`${'['.repeat(65)}${']'.repeat(65)}`);
    expect(() => decode(deep)).toThrow(expect.objectContaining({ param: '/0'.repeat(64), message: expect.stringContaining('64 levels') }));
  });
});
