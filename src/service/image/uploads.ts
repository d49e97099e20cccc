/** The files that programs have uploaded, for messages that name one by its id. */
import { AppError } from '../../errors';

export interface Uploads {
  /** Rejects `not_found`, also for another tenant's file, and `too_large`. `at`: the field that names the file, for errors. */
  readUpload(tenantId: string, id: string, limit: { at: string; maxBytes: number }): Promise<{ name: string; bytes: Uint8Array }>;
}

/** Stands in while no feature keeps uploaded files. */
export const NO_UPLOADS: Uploads = {
  readUpload: async (_tenantId, _id, { at: param }) => {
    throw new AppError('not_found', { param, message: 'There is no such file.', messageZh: '没有这个文件。' });
  },
};
