/** The routes of the workspace's files. Every failure rejects with a RequestError. */

import { FILES } from '../markdown/file_links';
import { callRest, requestRest } from './call_rest';
import { RequestError } from './request_error';
import type { Page } from './rest_types';

export interface FileRow {
  name: string;
  /** Relative to the workspace. */
  path: string;
  /** Bytes; 0 for a directory. */
  size: number;
  type: 'file' | 'directory' | 'symlink' | 'other';
  modifiedAt: string;
}

/** Bytes of a file that the gateway accepts. */
export const MAX_UPLOAD = 25 * 1024 * 1024;
/** Names that are tried for an upload whose name is taken. */
const MAX_NAMES = 100;

/** Returns false for a path that an address cannot hold: browsers remove the segments `.` and `..`, which would lead to another route. */
export const isFilePath = (path: string): boolean => path.split('/').every(segment => !/^\.{0,2}$/.test(segment));

/** Throws a RequestError for a path that is none. */
function encodePath(path: string): string {
  if (!isFilePath(path)) throw new RequestError('not_found', `${path} is no path of a file.`, false);
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The address from which the gateway sends a file. */
export const fileHref = (path: string): string => FILES + encodePath(path);

/** Lists a directory in name order; the empty path is the workspace. */
export function listFiles(path: string, cursor?: string): Promise<Page<FileRow>> {
  const query = new URLSearchParams();
  if (path !== '') query.set('path', path);
  if (cursor !== undefined) query.set('cursor', cursor);
  return callRest('GET', `/files?${query}`);
}

/** Resolves with undefined for a file of more than `maxBytes`, which is not loaded. */
export async function readFile(path: string, { maxBytes, signal }: { maxBytes: number; signal: AbortSignal }): Promise<Blob | undefined> {
  const response = await requestRest('GET', `/files/${encodePath(path)}`, { signal });
  if (Number(response.headers.get('content-length')) <= maxBytes) return await response.blob();
  await response.body?.cancel();
  return undefined;
}

export async function deleteFile(path: string): Promise<void> {
  await callRest('DELETE', `/files/${encodePath(path)}`);
}

/** Stores a file under a name that is free: `report.csv`, else `report-2.csv`. Nothing is replaced. `directory` is empty or ends with a slash. */
export async function uploadFile(file: File, directory: string): Promise<FileRow> {
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(toFileName(file.name)) ?? [];
  for (let number = 1; ; number += 1) {
    const path = `${directory}${stem}${number > 1 ? `-${number}` : ''}${ending}`;
    try {
      return await callRest('PUT', `/files/${encodePath(path)}`, file, { 'if-none-match': '*' });
    } catch (error) {
      const isTaken = error instanceof RequestError && error.code === 'precondition_failed';
      if (!isTaken || number === MAX_NAMES) throw error;
    }
  }
}

/** A name without what would make it a path, hide it, or need quotes in a message. */
function toFileName(name: string): string {
  const safe = name.replaceAll(/[\s/\\:*?"<>|#@\p{Cc}]+/gu, '-').replace(/^[.-]+/, '');
  return safe === '' ? 'file' : safe;
}
