/** Builds what the first event of a run says. */
import type { RunEventData } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import { writerOf } from './message_writer';

type Started = Pick<RunEventData<'run_start'>, 'model' | 'demo' | 'tools'>;

/** Returns the data of `run_start`. */
export const startDataOf = (run: Omit<RunRecord, 'ordinal'>, started: Started): RunEventData<'run_start'> => ({
  door: run.door,
  agent: run.agent,
  ...started,
  input: run.input,
  by: writerOf(run),
  images: run.images && [...run.images],
  files: run.files && [...run.files],
});
