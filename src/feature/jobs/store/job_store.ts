/** The owner that jobs add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { JobTable } from './job_table';

export const jobStore: StorePart = { owners: { jobs: db => new JobTable(db) } };
