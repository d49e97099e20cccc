/** Keeps the present state of the runs of this process, as the observer reports it. */
import type { ObservedRun } from '../../port/observed_run';
import type { EndedWork, Work } from '../../port/observer';

/** Most urgent first: a run that waits for a person while a tool runs counts as waiting. */
export const RUN_PHASES = ['human', 'child', 'tool', 'model'] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

export interface RunState {
  run: ObservedRun;
  acceptedAt: number;
  /** Model calls, without summaries. */
  iterations: number;
  hasAnswered: boolean;
  /** The model that was asked last. */
  model: string;
  waits: number;
  children: number;
  tools: number;
  /** The cancel of the run: when it was asked for, in milliseconds since 1970, and what the run did then. */
  cancel?: { at: number; phase: RunPhase };
}

export class RunStates {
  private readonly states = new Map<string, RunState>();

  begin(work: Work): void {
    if (work.kind === 'run') {
      const { run, acceptedAt } = work.begun;
      this.states.set(run.runId, { run, acceptedAt, iterations: 0, hasAnswered: false, model: '', waits: 0, children: 0, tools: 0 });
      const parent = run.parent && this.states.get(run.parent.runId);
      if (parent) parent.children += 1;
      return;
    }
    const state = this.find(work);
    if (!state) return;
    if (work.kind === 'wait') state.waits += 1;
    else if (work.kind === 'tool_call') state.tools += 1;
    else if (work.kind === 'model_call') {
      state.model = work.begun.model;
      if (!work.begun.isSummary) state.iterations += 1;
    }
  }

  /** Forgets a run that ended. Call it after every reader of its state. */
  end(work: EndedWork): void {
    if (work.kind === 'run') {
      const { run } = work.begun;
      this.states.delete(run.runId);
      const parent = run.parent && this.states.get(run.parent.runId);
      if (parent) parent.children -= 1;
      return;
    }
    const state = this.find(work);
    if (!state) return;
    if (work.kind === 'wait') state.waits -= 1;
    else if (work.kind === 'tool_call') state.tools -= 1;
  }

  find(work: Work | EndedWork): RunState | undefined {
    const { begun } = work;
    return 'run' in begun && begun.run ? this.states.get(begun.run.runId) : undefined;
  }

  get(runId: string): RunState | undefined {
    return this.states.get(runId);
  }

  list(): RunState[] {
    return [...this.states.values()];
  }
}

export function phaseOf({ waits, children, tools }: RunState): RunPhase {
  if (waits > 0) return 'human';
  if (children > 0) return 'child';
  return tools > 0 ? 'tool' : 'model';
}
