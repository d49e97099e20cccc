/** The files of /v1/files for the export of a tenant or a person: what is known of them, without their bytes. */
import type { StoreReader } from '../../../port/store/store';
import type { FeatureItem } from '../../../service/session/data_export';
import { toWireFile } from './file_routes';

const PAGE = 100;

/** A file of a person who is forgotten expires, and the next look for expired files deletes its bytes. */
export async function* exportFiles(read: StoreReader, tenantId: string, now: number): AsyncGenerator<FeatureItem> {
  for (let after: { createdAt: number; id: string } | undefined, isMore = true; isMore; ) {
    const { data, nextCursor } = await read.uploadedFiles.list(tenantId, { limit: PAGE, order: 'asc', after, now });
    for (const file of data) {
      const erase: FeatureItem['erase'] = tx => tx.uploadedFiles.expire(tenantId, file.id, now);
      yield { type: 'feature', name: 'file', data: toWireFile(file), thing: file, by: file.owner, erase };
    }
    after = data.at(-1);
    isMore = nextCursor !== undefined;
  }
}
