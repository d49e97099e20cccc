/** The owners that memory adds to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { MemoryBlockTable } from './memory_block_table';
import { MemoryTable } from './memory_table';

export const memoryStore: StorePart = {
  owners: { memories: db => new MemoryTable(db), memoryBlocks: db => new MemoryBlockTable(db) },
  fillIndexes: (db, runner) => new MemoryTable(db).on(runner).fillIndex(),
};
