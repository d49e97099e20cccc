/** Gives crew tools access to other agents: a master delegates tasks to its members, and a member can only escalate to its master. */
import type { Usage } from '../port/llm';
import type { Escalation, IncompleteReason, TerminalStatus } from '../port/run_event';

/** A task for a member, as the model writes it. */
export interface CrewTask {
  /** Name of the member. Absent: the first member. */
  member?: string;
  task: string;
  context?: string;
  expected_output?: string;
}

/** The outcome of a task. */
export interface CrewReport {
  member: string;
  status: TerminalStatus;
  /** Why the child run is incomplete. */
  reason?: IncompleteReason;
  /** The last answer of the child run, truncated; '' when it has none. */
  text: string;
  /** The question to the master that ended the child run. */
  escalation?: Escalation;
  /** Why the child run failed. */
  error?: string;
  usage: Usage;
  /** Milliseconds from the start of the child run to its end. */
  durationMs: number;
  /** Absent when the child run never started. */
  childRunId?: string;
  childSessionId?: string;
}

export interface CrewMaster {
  readonly role: 'master';
  /** Names of the members; the first one gets tasks that name none. */
  readonly members: readonly string[];
  /**
   * Runs each task as a child run and resolves with the reports in the order of the tasks. A repeated call with the same id finds the child runs
   * that it started before. Aborting the signal cancels the child runs. Rejects when this process no longer owns the run.
   */
  delegateTasks(call: { toolCallId: string; signal: AbortSignal }, tasks: readonly CrewTask[]): Promise<CrewReport[]>;
}

export type CrewAccess = CrewMaster | { readonly role: 'member' };
