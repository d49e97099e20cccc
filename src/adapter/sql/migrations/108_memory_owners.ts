/** Says to whom a memory belongs and who sees it. Memories from before belong to their tenant. */
import type { Kysely } from 'kysely';
import { addOwner } from './owned_columns';

export const addMemoryOwners = (db: Kysely<unknown>): Promise<void> => addOwner(db, 'memories');
