/** Answers of the routes below /ops that several screens read. */
import type { Answer } from '../../api/schema_types';

export type AcceptingState = Answer<'OpsAccepting'>;
/** Live runs are on the first page only. */
export type RunsPage = Answer<'OpsRuns'>;
export type LiveRun = RunsPage['live'][number];
export type EndedRun = RunsPage['data'][number];
