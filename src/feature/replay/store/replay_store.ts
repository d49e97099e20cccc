/** The owners that recordings, suites and kept answers add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { ReplayAnswerTable } from './answer_table';
import { RecordingTable } from './recording_table';
import { keepAnswers } from './replay_migrations';
import { SuiteTable } from './suite_table';

export const replayStore: StorePart = {
  migrations: { replay_001_answers: { up: keepAnswers } },
  owners: { recordings: db => new RecordingTable(db), suites: db => new SuiteTable(db), replayAnswers: db => new ReplayAnswerTable(db) },
};
