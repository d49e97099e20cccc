/** Detects the kind of a page from its content type and its first bytes. */
import type { FetchedPage } from '../../port/web';

export type PageKind = 'html' | 'text' | 'pdf' | 'other';

const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript|x-ndjson|toml)\b|application\/(?:x-)?(?:javascript|yaml|sh)\b)/;
const UNKNOWN_TYPE = /^(?:|application\/octet-stream|binary\/octet-stream|application\/x-download|text\/plain)$/;

export function kindOf({ contentType, bytes }: Pick<FetchedPage, 'contentType' | 'bytes'>): PageKind {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const beginning = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  if (type === 'application/pdf' || beginning.startsWith('%PDF-')) return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  const isUtf16 = /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(beginning);
  if (beginning.includes('\0') && !isUtf16) return 'other';
  if (UNKNOWN_TYPE.test(type) && /^\s*<(?:!doctype html|html|head|body)\b/i.test(beginning)) return type === 'text/plain' ? 'text' : 'html';
  return TEXT_TYPE.test(type) || UNKNOWN_TYPE.test(type) ? 'text' : 'other';
}
