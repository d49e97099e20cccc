/** The owner that web push adds to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { PushTable } from './push_table';

export const pushStore: StorePart = { owners: { push: db => new PushTable(db) } };
