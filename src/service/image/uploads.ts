/** The files that programs have uploaded, for messages that name one by its id. */
import { AppError } from '../../errors';
import type { AccessCaller } from '../access/session_access';

export interface Uploads {
  /** Rejects `not_found`, also for a file that the caller does not see, and `too_large`. `at`: the field that names the file, for errors. */
  readUpload(caller: AccessCaller, id: string, limit: { at: string; maxBytes: number }): Promise<{ name: string; bytes: Uint8Array }>;
}

/** Stands in while no feature keeps uploaded files. */
export const NO_UPLOADS: Uploads = {
  readUpload: async (_caller, _id, { at: param }) => {
    throw new AppError('not_found', { param, message: 'There is no such file.', messageZh: '没有这个文件。' });
  },
};
