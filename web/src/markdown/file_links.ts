/** Links of an answer to files of the workspace, such as `report/summary.md`. */
import { ROOT } from '../platform/root';

/** Where the gateway sends files of the workspace. */
export const FILES = `${ROOT}api/v1/files/`;
/** A relative path to a file with an ending, without an address before it. */
const RELATIVE_FILE = /^(?!www\.)(?:\.\/)?[^\s/:?#\\][^:?#\\]*\.\w{1,10}$/;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** Returns the address from which the gateway sends the file; undefined when the text is no path of the workspace. */
export function toFileLink(path: string): string | undefined {
  const decoded = decodePath(path).replace(/^\.\//, '');
  if (!RELATIVE_FILE.test(decoded) || DOT_SEGMENT.test(decoded)) return undefined;
  return FILES + decoded.split('/').map(encodeURIComponent).join('/');
}

/** Returns true for an address that `toFileLink` makes. */
export function isFileLink(address: string): boolean {
  return address.startsWith(FILES) && !/[?#\\]/.test(address) && !DOT_SEGMENT.test(address.slice(FILES.length));
}

/** Returns the path of the file behind an address that `toFileLink` makes; undefined for other addresses. */
export function toFilePath(address: string): string | undefined {
  return isFileLink(address) ? address.slice(FILES.length).split('/').map(decodePart).join('/') : undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
