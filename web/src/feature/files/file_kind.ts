/** How a file is shown, by the ending of its name. */

export type FileKind = 'image' | 'pdf' | 'table' | 'markdown' | 'text' | 'other';

/** Bytes up to which a text or table is shown. Larger files are offered as a download. */
export const MAX_SHOWN = 1_000_000;
/** Bytes up to which a PDF document is shown. */
export const MAX_PDF = 25 * 1024 * 1024;

const KINDS: Record<string, FileKind> = { pdf: 'pdf', csv: 'table', tsv: 'table', md: 'markdown', markdown: 'markdown' };
const IMAGE = /^(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/;
/** Endings of files that are not text. What is left is read, and shown when it is text. */
const BINARY = /^(?:zip|gz|tgz|xz|bz2|7z|tar|exe|dll|so|bin|wasm|class|jar|mp[34]|mov|avi|wav|ogg|woff2?|ttf|docx?|xlsx?|pptx?|sqlite|db)$/;

export const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

export function kindOf(path: string): FileKind {
  const ending = endingOf(path);
  if (IMAGE.test(ending)) return 'image';
  return KINDS[ending] ?? (BINARY.test(ending) ? 'other' : 'text');
}

/** Names by which the highlighter knows languages whose files end otherwise. */
const LANGUAGES: Record<string, string> = {
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  yml: 'yaml',
  h: 'c',
  htm: 'html',
  kt: 'kotlin',
  rb: 'ruby',
};

export const languageOf = (path: string): string => LANGUAGES[endingOf(path)] ?? endingOf(path);

/** Returns the text of bytes; undefined when they are not text. */
export function toText(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
