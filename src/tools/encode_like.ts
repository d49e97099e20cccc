/** Encodes the new text of a file as its old content was, so that a rewrite changes the text alone. */
import { errorResult, inLocale, type ToolContext, type ToolResult } from './common';
import { decodeFile } from './decode_file';
import type { PreviousContent } from './file_change';
import { encodeText, encodingName } from './text_codec';

/** `note`: a sentence for the model, present when the bytes are not simply the text as UTF-8. */
export type EncodedLike = { bytes: Buffer; note: string };

/** Keeps encoding, byte order mark and uniform line ends. Returns the refusal when the encoding cannot hold the text. */
export async function encodeLike(
  file: { name: string; previous: PreviousContent; content: string },
  ctx: ToolContext,
): Promise<EncodedLike | ToolResult> {
  const { name, previous, content } = file;
  const plain = { bytes: Buffer.from(content, 'utf8'), note: '' };
  if (previous.kind !== 'bytes' || previous.bytes.length === 0) return plain;
  const decoded = await decodeFile(Buffer.from(previous.bytes), ctx);
  if (decoded.kind !== 'text' || !decoded.lossless) {
    return {
      ...plain,
      note: inLocale(ctx, ' Its bytes were no UTF-8 text before; it is UTF-8 now.', '它原来不是 UTF-8 文本，现在是 UTF-8。'),
    };
  }
  const { format } = decoded;
  const text = withLineEnds(format.bom ? content.replace(/^\uFEFF/, '') : content, decoded.text);
  const encoded = encodeText(text, format);
  if (!encoded.ok) return format.encoding === 'utf-8' ? plain : cannotHold(name, encodingName(format), encoded.character, ctx);
  const hasOwnEncoding = format.encoding !== 'utf-8' || format.bom;
  const kept = [
    ...(hasOwnEncoding ? [`${encodingName(format)}${format.bom ? inLocale(ctx, ' with BOM', '（含 BOM）') : ''}`] : []),
    ...(text.length > content.length ? [inLocale(ctx, 'CRLF line ends', 'CRLF 换行')] : []),
  ];
  const note =
    kept.length === 0 ? '' : inLocale(ctx, ` The file stays ${kept.join(', ')}, as it was.`, `文件保持原来的 ${kept.join('、')}。`);
  return { bytes: encoded.bytes, note };
}

/** Gives a text that has LF alone the line ends of a file that has CRLF alone, or CR alone. */
export function withLineEnds(content: string, old: string): string {
  if (content.includes('\r') || !old.includes('\r')) return content;
  if (!old.includes('\n')) return content.replaceAll('\n', '\r');
  return /(?<!\r)\n|\r(?!\n)/.test(old) ? content : content.replaceAll('\n', '\r\n');
}

/** Creates the refusal for a character that the encoding of the file cannot hold. */
export function cannotHold(name: string, encoding: string, character: string, ctx: ToolContext): ToolResult {
  const en = `${name} is ${encoding} text, which cannot hold ${JSON.stringify(character)}; nothing was written.`;
  const zh = `${name} 的编码是 ${encoding}，无法写入 ${JSON.stringify(character)}；未写入任何内容。`;
  return errorResult(inLocale(ctx, en, zh));
}
