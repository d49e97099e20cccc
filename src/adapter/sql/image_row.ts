import type { ImageMediaType } from '../../port/llm';

/** A row of `session_images`. */
export interface SessionImageRow {
  tenant_id: string;
  session_id: string;
  id: string;
  media_type: ImageMediaType;
  created_at: number;
  bytes: Uint8Array;
}
