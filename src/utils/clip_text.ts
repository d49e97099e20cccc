/** The first `maxUnits` UTF-16 units of a text, one less where that would cut a surrogate pair. */
export function clipStart(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const last = text.charCodeAt(maxUnits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxUnits - 1 : maxUnits);
}

/**
 * At most about `maxBytes` of UTF-8 taken from both ends of a text: `headShare` (0..1) of them from its start, the rest from its end, with a line
 * between that says how many bytes are missing. A text that fits comes back unchanged.
 */
export function clipMiddle(text: string, maxBytes: number, headShare: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  const headEnd = characterStart(bytes, Math.floor(maxBytes * headShare));
  const tailStart = characterStart(bytes, bytes.length - (maxBytes - headEnd));
  const missing = `\n[... ${tailStart - headEnd} bytes left out ...]\n`;
  return bytes.toString('utf8', 0, headEnd) + missing + bytes.toString('utf8', tailStart);
}

/** The start of the character that the byte at `index` belongs to. */
function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** The text when it has at most `limit` UTF-16 units; otherwise its beginning and end, with a line between that says how much is missing. */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = clipStart(text, Math.ceil(limit * 0.7));
  const tailStart = text.length - (limit - head.length);
  const last = text.charCodeAt(tailStart);
  const tail = text.slice(last >= 0xdc00 && last <= 0xdfff ? tailStart + 1 : tailStart);
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out ...]\n${tail}`;
}
