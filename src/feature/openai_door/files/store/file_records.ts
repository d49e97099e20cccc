/** Files of /v1/files: their names and purposes, beside the bytes in the workspace. */
import type { Owned, OwnedChange } from '../../../../port/store/owned';
import type { Page } from '../../../../port/store/page';
import type { Viewer } from '../../../../port/store/session_access';

export const PURPOSES = ['assistants', 'vision', 'user_data'] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface UploadedFileRecord extends Owned {
  tenantId: string;
  id: string;
  /** Path in the workspace of the tenant. */
  path: string;
  /** The name that the program gave. */
  filename: string;
  purpose: Purpose;
  /** Size of the upload in bytes. */
  size: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Milliseconds since 1970. Absent: never. */
  expiresAt?: number;
}

export interface UploadedFileQuery {
  limit: number;
  order: 'asc' | 'desc';
  /** The page begins behind this file. */
  after?: Pick<UploadedFileRecord, 'createdAt' | 'id'>;
  purpose?: Purpose;
  /** Files that expire at or before this time are left out. */
  now: number;
  /** Absent: all files of the tenant. */
  viewer?: Viewer;
}

export interface UploadedFileReader {
  get(tenantId: string, id: string): Promise<UploadedFileRecord | undefined>;
  /** Lists files by the time of their upload. `nextCursor` says that there are more; the next page begins behind the last file. */
  list(tenantId: string, query: UploadedFileQuery): Promise<Page<UploadedFileRecord>>;
  count(tenantId: string): Promise<number>;
  /** All tenants: files that expired at or before `now`, the first to expire first, at most `limit`. */
  expired(now: number, limit: number): Promise<UploadedFileRecord[]>;
}

export interface UploadedFileWriter {
  insert(file: UploadedFileRecord): Promise<void>;
  /** Changes who sees a file. Resolves false when it does not exist. */
  share(tenantId: string, id: string, change: OwnedChange): Promise<boolean>;
  /** Lets a file expire now. Resolves false when it does not exist. */
  expire(tenantId: string, id: string, now: number): Promise<boolean>;
  /** Resolves false when the file does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
}

declare module '../../../../port/store/store' {
  interface StoreReader {
    readonly uploadedFiles: UploadedFileReader;
  }
  interface StoreWriters {
    uploadedFiles: UploadedFileWriter;
  }
}
