/** Requests that start runs, and the results of accepting them. */

import type { Attachments } from '../../port/image_input';
import type { ForeignText } from '../../port/llm';
import type { ModelParameters } from '../../port/model_parameters';
import type { Actor } from '../../port/principal';
import type { Door, RunEvent } from '../../port/run_event';
import type { MessageRecord } from '../../port/store/messages';
import type { Interaction, RunLimits, RunParent, RunRecord } from '../../port/store/runs';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import type { StoreTransaction } from '../../port/store/store';
import type { TraceContext } from '../../port/trace_context';
import type { CallerRequest } from './given_messages';

/**
 * An idempotency key. With `retry`, a request is compared with an earlier one only when it has `isRepeat`; any other request replaces the stored key.
 */
export interface RequestKey {
  key: string;
  /** The key under which version 0.1.0 stored the same request. It matches only when the fingerprints are equal. */
  formerKey?: string;
  /** Hash of the request body. */
  fingerprint: string;
  retry?: { isRepeat: boolean };
}

export interface StartRequest extends CallerRequest, Attachments {
  tenantId: string;
  /** The key for which the run counts. Absent: the run was started before keys were recorded. */
  keyName: string | undefined;
  door: Door;
  text: string;
  /** Present when the text came from outside: it answers no question, and what the agent does with it is judged as untrusted. */
  foreign?: ForeignText;
  /** Absent: a new session is created. */
  sessionId?: string;
  /**
   * Fields of the session that is created. Default title: made from the text. When the `id` is taken, the request is rejected with `session_busy`.
   */
  newSession?: Pick<SessionRecord, 'title' | 'origin'> & { id?: string };
  agent?: string;
  /** The run goes on after an earlier run of the session with the agent of that run: whoever may write in the session need not see the agent. */
  keepsAgent?: true;
  locale?: Locale;
  /** Id of the open text question that `text` answers. */
  answers?: string;
  /** The caller who wrote the text. The service that names it has asked SessionAccess for this caller, and the executor does not ask for `keyName`. */
  writtenBy?: string | undefined;
  /** Decides what happens when the session already has an active run. */
  onBusy: 'enqueue' | 'reject' | 'interrupt' | 'steer';
  interaction: Interaction;
  limits?: RunLimits;
  /** The model of this run. Absent: the model of the session, or of the agent. */
  model?: string;
  /** Parameters of this run. Each field takes the place of the session's. */
  parameters?: ModelParameters;
  /** JSON Schema of the answer of this run. */
  outputSchema?: Readonly<Record<string, unknown>>;
  metadata?: Record<string, unknown>;
  /** The trace of the request. */
  trace?: TraceContext | undefined;
  /** Names the request in the log lines of its run; not stored. */
  requestId?: string | undefined;
  idempotency?: RequestKey;
  /** Makes more writes in the transaction that accepts a new run. */
  alsoWrite?: (tx: StoreTransaction, run: RunRecord) => Promise<void>;
}

export interface Claimed {
  run: RunRecord;
  event: RunEvent;
  /** The session, when accepting the request has read it. */
  session?: SessionRecord;
  /** The messages with which the run begins, when accepting the request has stored them. */
  first?: readonly MessageRecord[];
}

/** The change that makes a run the active one of its session, and the event that says so. */
export interface RunStart {
  patch: Required<Pick<RunRecord, 'startedAt' | 'owner' | 'leaseUntil'>> & { status: 'running' };
  event: RunEvent;
}

export interface Admission {
  run: RunRecord;
  /** Present when the run can start at once. */
  claimed?: Claimed;
  /** True when the run needs data that it can read only after the commit: its images and files. */
  startsAfterCommit?: boolean;
  /** True when the run waits only for a free slot. */
  isNext?: boolean;
  /** True when an earlier request with the same key started the run. */
  deduplicated: boolean;
  /** True when the text was sent into `run`, which was already active. */
  steered?: boolean;
}

export interface AcceptedRun {
  run: RunRecord;
  /** True when an earlier request with the same key started the run. */
  deduplicated: boolean;
  /** True when the text was sent into `run`, which was already active. */
  steered: boolean;
}

/** Called with a run before its first event is published, so that a reader that subscribes here misses no event. Must not reject. */
export type BeforeStart = (run: RunRecord) => Promise<void>;

/** Cancels the active run of the session for a request of `actor`. */
export interface Interruption {
  actor: Actor;
  cancel: () => Promise<void>;
}

/** Work that admits one request by calling `admit` inside its transaction. */
export type AdmissionWork<T> = (tx: StoreTransaction, admit: (request: StartRequest) => Promise<Admission>) => Promise<T>;

/** A task for a crew member. The caller chooses the ids, so that an event of the parent can name them. */
export interface ChildRequest
  extends Required<Pick<StartRequest, 'tenantId' | 'text' | 'agent' | 'locale' | 'interaction' | 'limits'>>,
    Pick<StartRequest, 'keyName' | 'model' | 'parameters' | 'trace'> {
  runId: string;
  sessionId: string;
  parent: RunParent;
}

/** True for a run that ends with its callers: every run of some doors, except responses in the background (`publishes: stored`). */
export const isBoundToCaller = ({ door, interaction }: Pick<RunRecord, 'door' | 'interaction'>): boolean =>
  door === 'openai' || door === 'anthropic' || door === 'agui' || (door === 'responses' && interaction.publishes !== 'stored');

/** Questions exist only in a session that is not new. */
export const answersQuestions = ({ sessionId, text, answers, foreign }: StartRequest): boolean =>
  (sessionId !== undefined && text !== '' && foreign === undefined) || answers !== undefined;
