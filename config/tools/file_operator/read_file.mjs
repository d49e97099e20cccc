/** Reads a file: text in any usual encoding, or the text of a PDF, DOCX or XLSX document. */
import { documentKindOf, readDocument } from './document.mjs';
import { openFile, shownPath } from './places.mjs';
import { Refusal } from './refusal.mjs';

/** The most characters of one answer. */
const MAX_CONTENT = 100_000;

/** Resolves with the answer. Rejects with Refusal. */
export async function readFile({ filePath, encoding, offset = 0 }, { places, maxFileSize }) {
  const file = await openFile(places, filePath, 'filePath');
  const bytes = await readAll(file, filePath, maxFileSize);
  const facts = { path: shownPath(places, file.real), size: bytes.length };
  if (encoding?.toLowerCase() === 'base64') {
    const message = `${facts.path}: ${bytes.length} bytes as base64`;
    return { result: { ...facts, format: 'base64' }, message, base64: bytes.toString('base64') };
  }
  const kind = documentKindOf(bytes);
  if (kind === 'old_office') throw oldOffice(filePath);
  const { text, ...read } = kind === undefined ? decode(bytes, encoding, filePath) : await readDocument(kind, bytes, filePath);
  return toAnswer({ ...facts, format: kind ?? 'text', ...read }, text, offset);
}

async function readAll({ handle, size }, path, maxFileSize) {
  try {
    if (size > maxFileSize) throw tooLarge(path, size, maxFileSize);
    // The size of a special or growing file may be wrong, so never read more than the limit.
    const buffer = Buffer.alloc(Math.min(maxFileSize + 1, Math.max(size + 1, 65_536)));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    throw tooLarge(path, length, maxFileSize);
  } finally {
    await handle.close();
  }
}

function toAnswer(facts, text, offset) {
  if (offset > text.length) {
    throw new Refusal(`offset: the text has only ${text.length} characters.`, `offset：文本只有 ${text.length} 个字符。`);
  }
  let end = Math.min(text.length, offset + MAX_CONTENT);
  // Do not cut a character that has two units.
  if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1;
  const content = text.slice(offset, end);
  const isCut = end < text.length;
  const result = { ...facts, content, characters: text.length, truncated: isCut, ...(isCut && { nextOffset: end }) };
  const more = isCut ? `\n[The text goes on: ${text.length - end} more characters; continue with offset=${end}.]` : '';
  return { result, message: content + more };
}

function decode(bytes, encoding, path) {
  const used = encoding ?? markedEncoding(bytes) ?? 'utf-8';
  const name = used.toLowerCase().replace(/^(ucs-?2|utf16)$/, 'utf-16le');
  let decoder;
  try {
    decoder = new TextDecoder(name, { fatal: encoding === undefined });
  } catch {
    throw new Refusal(
      `encoding: ${encoding.slice(0, 40)} is not known. Use utf-8, utf-16le, gb18030, big5, shift_jis, euc-kr, windows-1252 or base64.`,
      `encoding：不认识 ${encoding.slice(0, 40)}。可用 utf-8、utf-16le、gb18030、big5、shift_jis、euc-kr、windows-1252 或 base64。`,
    );
  }
  if (!decoder.encoding.startsWith('utf-16') && bytes.includes(0)) throw notText(path);
  try {
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  } catch {
    throw new Refusal(
      `filePath: ${path} is not UTF-8 text. Name its encoding, such as gb18030, or read it with encoding base64.`,
      `filePath：${path} 不是 UTF-8 文本。请指明编码，例如 gb18030；或用 encoding base64 读取。`,
    );
  }
}

function markedEncoding(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

const tooLarge = (path, size, limit) =>
  new Refusal(
    `filePath: ${path} has ${size} bytes or more; at most ${limit} are read (setting max_file_size).`,
    `filePath：${path} 至少有 ${size} 字节，最多读取 ${limit} 字节（设置 max_file_size）。`,
  );

const notText = path =>
  new Refusal(
    `filePath: ${path} is neither text nor a PDF, DOCX or XLSX document. Read it with encoding base64 if a program needs its bytes.`,
    `filePath：${path} 既不是文本，也不是 PDF、DOCX 或 XLSX 文档。如果程序需要它的字节，请用 encoding base64 读取。`,
  );

const oldOffice = path =>
  new Refusal(
    `filePath: ${path} is an Office document of the old format, or protected by a password. Save it as DOCX or XLSX without a password.`,
    `filePath：${path} 是旧格式的 Office 文档，或者有密码保护。请另存为没有密码的 DOCX 或 XLSX。`,
  );
