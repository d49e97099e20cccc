/** The owner that the prompt library adds to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { PromptTable } from './prompt_table';

export const promptStore: StorePart = { owners: { prompts: db => new PromptTable(db) } };
