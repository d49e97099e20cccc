import fc from 'fast-check';
import { encode } from 'iconv-lite';
import { decodeText, encodeText } from '../../src/tools/text_codec';

const bytesOf = (text: string, format: Parameters<typeof encodeText>[1]): Buffer => {
  const encoded = encodeText(text, format);
  if (!encoded.ok) throw new Error(`cannot hold ${encoded.character}`);
  return encoded.bytes;
};

describe('text codec', () => {
  it('encodes lossless text to the same bytes, with its byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, bom) => {
        const bytes = Buffer.from((bom ? '\uFEFF' : '') + text.replaceAll('\0', ' '), 'utf8');
        const decoded = decodeText(bytes);
        if (decoded.kind === 'text' && decoded.lossless) expect(bytesOf(decoded.text, decoded.format)).toEqual(bytes);
      }),
    );
    expect(decodeText(Buffer.from('\uFEFFhi'))).toMatchObject({ kind: 'text', text: 'hi', format: { bom: true }, lossless: true });
  });

  it('encodes everything that it calls lossless to the same bytes, in any encoding', () => {
    const anyBytes = fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes));
    const chinese = fc.string({ unit: fc.constantFrom(...'配置文件说明abc \n。中é😀') }).map(text => encode(text, 'gb18030'));
    const japanese = fc.string({ unit: fc.constantFrom(...'これは設定ファイルabc \n。ｱ') }).map(text => encode(text, 'shift_jis'));
    const wide = fc.tuple(fc.constantFrom('utf-16le', 'utf-16be'), fc.string({ unit: 'binary' }));
    const utf16 = wide.map(([encoding, text]) => encode(text, encoding, { addBOM: true }));
    fc.assert(
      fc.property(fc.oneof(anyBytes, chinese, japanese, utf16), bytes => {
        const decoded = decodeText(bytes);
        if (decoded.kind === 'text' && decoded.lossless) expect(bytesOf(decoded.text, decoded.format)).toEqual(bytes);
      }),
    );
  });

  it('tells a real replacement character from a lost byte', () => {
    expect(decodeText(Buffer.from('a \uFFFD b'))).toMatchObject({ kind: 'text', lossless: true });
    expect(decodeText(Buffer.concat([Buffer.alloc(100, 'a'), Buffer.from([0x80])]))).toMatchObject({ kind: 'text', lossless: false });
    const damaged = Buffer.concat([
      Buffer.from('这是一个很长的中文文件,只有一个字节坏了。'.repeat(5)),
      Buffer.from([0xff]),
      Buffer.from('其余完好。'),
    ]);
    expect(decodeText(damaged)).toMatchObject({ kind: 'text', format: { encoding: 'utf-8' }, lossless: false });
  });

  it('tells binary data from text', () => {
    expect(decodeText(Buffer.from([0x7f, 0x45, 0, 1]))).toEqual({ kind: 'binary' });
    expect(decodeText(encode('a', 'utf-32le', { addBOM: true }))).toEqual({ kind: 'binary' });
    expect(decodeText(Buffer.alloc(0))).toMatchObject({ kind: 'text', text: '' });
  });

  it.each([
    ['utf-16le', 'name = "héllo 你好 😀"\r\n'],
    ['utf-16be', 'name = "héllo 你好 😀"\r\n'],
    ['gb18030', '// 你好世界\nlet a = 1;\n'],
    ['gb18030', 'int main() { return 0; } // 测试\n'],
    ['gb18030', 'name=张三\n'],
    ['gb18030', '配置文件说明:本程序用于处理订单。\n表情😀和文字\n'],
    ['shift_jis', '// こんにちは世界\nint a = 1;\n'],
    ['shift_jis', '設定 = 1 // 東京都\n'],
    ['shift_jis', 'ファイル ﾃｽﾄ設定を変更する\n'],
  ])('decodes %s: %j', (encoding, text) => {
    const bytes = encode(text, encoding, { addBOM: encoding.startsWith('utf-16') });
    const decoded = decodeText(bytes);
    expect(decoded).toMatchObject({ kind: 'text', text, format: { encoding }, lossless: true });
    if (decoded.kind === 'text') expect(bytesOf(decoded.text, decoded.format)).toEqual(bytes);
  });

  it.each([
    ['latin1', 'Le café est fermé, à bientôt. Voilà.\n'],
    ['latin1', 'Straße und Übung für große Männer öffnen\n'],
    ['windows-1252', 'It’s “quoted” text — here\n'],
    ['windows-1251', 'Привет, мир! Это тест.\n'],
    ['euc-kr', '안녕하세요 세계. 설정 파일입니다.\n'],
    ['big5', '你好世界。這是設定檔,請不要修改。\n'],
    ['euc-jp', 'これは設定ファイルです。東京都。\n'],
  ])('does not mistake %s for another encoding: %j', (encoding, text) => {
    expect(decodeText(encode(text, encoding)).kind).toBe('foreign');
  });

  it('names the first character that an encoding cannot hold', () => {
    expect(encodeText('a中😀', { encoding: 'shift_jis', bom: false })).toEqual({ ok: false, character: '😀' });
    expect(encodeText('¥100', { encoding: 'shift_jis', bom: false })).toEqual({ ok: false, character: '¥' });
    expect(encodeText('中😀é', { encoding: 'gb18030', bom: false })).toMatchObject({ ok: true });
    expect(encodeText('a\uD800', { encoding: 'utf-8', bom: false })).toMatchObject({ ok: false });
  });
});
