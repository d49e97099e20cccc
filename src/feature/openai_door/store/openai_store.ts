/** The tables that the door adds to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { fileStore } from '../files/store/file_store';
import { responseStore } from '../responses/store/response_store';

export const openAiStore: StorePart = {
  owners: { ...responseStore.owners, ...fileStore.owners },
  migrations: fileStore.migrations,
};
