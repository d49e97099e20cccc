/** The owner that /v1/responses adds to the store. */
import type { StorePart } from '../../../../adapter/sql/store_part';
import { ResponseTable } from './response_table';

export const responseStore: StorePart = { owners: { responses: db => new ResponseTable(db) } };
