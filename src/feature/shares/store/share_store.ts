/** The owner that links to chats add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { ShareTable } from './share_table';

export const shareStore: StorePart = { owners: { shares: db => new ShareTable(db) } };
