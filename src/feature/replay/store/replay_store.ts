/** The owners that recordings and suites add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { RecordingTable } from './recording_table';
import { SuiteTable } from './suite_table';

export const replayStore: StorePart = { owners: { recordings: db => new RecordingTable(db), suites: db => new SuiteTable(db) } };
