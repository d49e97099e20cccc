import type { Bilingual } from './bilingual';

type Language = keyof Bilingual;

/** Returns the first `maxUnits` UTF-16 units of a text, one less where that would split a surrogate pair. */
export function clipStart(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const last = text.charCodeAt(maxUnits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxUnits - 1 : maxUnits);
}

/**
 * Truncates the middle of a text to about `maxBytes` of UTF-8: the share `headShare` (0 to 1) from the start, the rest from the end. A line in
 * between, in the given language, says how many bytes are missing. Returns a text that fits unchanged.
 */
export function clipMiddle(text: string, maxBytes: number, headShare: number, language: Language = 'en'): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  const headEnd = characterStart(bytes, Math.floor(maxBytes * headShare));
  const tailStart = characterStart(bytes, bytes.length - (maxBytes - headEnd));
  const missing = leftOut(tailStart - headEnd, language, { en: 'bytes', 'zh-CN': '字节' });
  return bytes.toString('utf8', 0, headEnd) + missing + bytes.toString('utf8', tailStart);
}

/** Returns the index of the first byte of the character at `index`. */
function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** Truncates the middle of a text to about `limit` UTF-16 units, with a line that says how much is missing. Returns a text that fits unchanged. */
export function clipText(text: string, limit: number, language: Language = 'en'): string {
  if (text.length <= limit) return text;
  const head = clipStart(text, Math.ceil(limit * 0.7));
  const tailStart = text.length - (limit - head.length);
  const last = text.charCodeAt(tailStart);
  const tail = text.slice(last >= 0xdc00 && last <= 0xdfff ? tailStart + 1 : tailStart);
  return head + leftOut(text.length - head.length - tail.length, language, { en: 'characters', 'zh-CN': '个字符' }) + tail;
}

/** Finds the line that `clipText` puts into the place of the missing characters. */
export const LEFT_OUT = /\n\[\.\.\. (?:\d+ characters left out|省略 \d+ 个字符) \.\.\.\]\n/;

const leftOut = (count: number, language: Language, unit: Bilingual): string =>
  language === 'en' ? `\n[... ${count} ${unit.en} left out ...]\n` : `\n[... 省略 ${count} ${unit['zh-CN']} ...]\n`;
