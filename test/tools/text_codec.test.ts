import fc from 'fast-check';
import { decodeText, encodeText } from '../../src/tools/text_codec';

describe('text codec', () => {
  it('gives back the very bytes of any lossless text, with its byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, bom) => {
        const bytes = Buffer.from((bom ? '\uFEFF' : '') + text.replaceAll('\0', ' '), 'utf8');
        const decoded = decodeText(bytes);
        if (decoded.kind === 'text' && decoded.lossless) expect(encodeText(decoded.text, decoded.format)).toEqual(bytes);
      }),
    );
    expect(decodeText(Buffer.from('\uFEFFhi'))).toMatchObject({ kind: 'text', text: 'hi', format: { bom: true }, lossless: true });
  });

  it('tells a real replacement character from a lost byte', () => {
    expect(decodeText(Buffer.from('a \uFFFD b'))).toMatchObject({ kind: 'text', lossless: true });
    expect(decodeText(Buffer.concat([Buffer.alloc(100, 'a'), Buffer.from([0x80])]))).toMatchObject({ kind: 'text', lossless: false });
  });

  it('tells binary data and other encodings from text', () => {
    expect(decodeText(Buffer.from([0x7f, 0x45, 0, 1]))).toEqual({ kind: 'binary' });
    expect(decodeText(Buffer.from([0xff, 0xfe, 0x41, 0]))).toEqual({ kind: 'foreign', guess: 'UTF-16LE' });
    expect(decodeText(Buffer.from([0xfe, 0xff, 0, 0x41]))).toEqual({ kind: 'foreign', guess: 'UTF-16BE' });
    expect(decodeText(Buffer.from([0xd6, 0xd0, 0xb9, 0xfa]))).toEqual({ kind: 'foreign' });
    expect(decodeText(Buffer.alloc(0))).toMatchObject({ kind: 'text', text: '' });
  });
});
