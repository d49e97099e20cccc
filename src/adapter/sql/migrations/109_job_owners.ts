/** Says to whom a job belongs and who sees it. Jobs from before belong to their tenant. */
import type { Kysely } from 'kysely';
import { addOwner } from './owned_columns';

export const addJobOwners = (db: Kysely<unknown>): Promise<void> => addOwner(db, 'jobs');
