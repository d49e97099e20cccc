/** Records the model calls of runs, so that runs can be replayed; the feature `replay` does it. */
import type { LlmAnswer, LlmRequest } from '../../port/llm';
import type { RunRecording } from '../../port/run_recording';
import type { RunRecord } from '../../port/store/runs';

export interface RunRecorder {
  /**
   * Called with each complete answer of the model, in order. Must be quick and must not throw. `hasChosenTools`: the tools of the request were chosen
   * for the session, so other sessions have other tools and another prompt.
   */
  noteAnswer(run: RunRecord, request: LlmRequest, answer: LlmAnswer, hasChosenTools: boolean): void;
  /** Returns the recording of a run that ends; undefined when no model has answered. */
  recordingOf(run: RunRecord): RunRecording | undefined;
}

/** Records nothing. */
export const NO_RECORDER: RunRecorder = {
  noteAnswer: () => {},
  recordingOf: () => undefined,
};
