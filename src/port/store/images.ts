/** Images and PDF files that people sent with their messages. The messages hold references; the bytes are here. */
import type { FileReference, ImageMediaType } from '../llm';

export interface ImageRecord {
  tenantId: string;
  sessionId: string;
  id: string;
  mediaType: ImageMediaType | FileReference['mediaType'];
  bytes: Uint8Array;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface ImageReader {
  /** Resolves with undefined when the session has no such image. */
  get(tenantId: string, sessionId: string, id: string): Promise<ImageRecord | undefined>;
}

export interface ImageWriter {
  /** Rejects with `internal` when the session does not exist or has an image with this id. */
  insert(image: ImageRecord): Promise<void>;
}
