/** Requests that start runs, and what becomes of them. */
import type { ImageInput } from '../../port/image_input';
import type { ModelParameters } from '../../port/model_parameters';
import type { Door, RunEvent } from '../../port/run_event';
import type { Interaction, RunLimits, RunParent, RunRecord } from '../../port/store/runs';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import type { StoreTransaction } from '../../port/store/store';
import type { TraceContext } from '../../port/trace_context';
import type { CallerRequest } from './given_messages';

/** An idempotency key. With `retry`, only a request with `isRepeat` is matched with an earlier one; any other replaces the stored key. */
export interface RequestKey {
  key: string;
  /** The key that version 0.1.0 stored for the same request. It matches only with an equal fingerprint. */
  formerKey?: string;
  /** Hash of the request body. */
  fingerprint: string;
  retry?: { isRepeat: boolean };
}

export interface StartRequest extends CallerRequest {
  tenantId: string;
  /** The key that the run counts for. Absent: it was started before keys were recorded. */
  keyName: string | undefined;
  door: Door;
  text: string;
  /** Images of the message. */
  images?: readonly ImageInput[];
  /** Absent: a new session is created. */
  sessionId?: string;
  /** Fields of the session that is created. Default title: from the text. With an `id` that is taken, the request is rejected `session_busy`. */
  newSession?: Pick<SessionRecord, 'title' | 'origin'> & { id?: string };
  agent?: string;
  locale?: Locale;
  /** Id of the open text question that `text` answers. */
  answers?: string;
  /** The key of the person who answers, when it is not `keyName`. */
  answeredBy?: string;
  /** Decides what happens when the session already has an active run. */
  onBusy: 'enqueue' | 'reject' | 'interrupt' | 'steer';
  interaction: Interaction;
  limits?: RunLimits;
  /** The model of this run; absent: the one of the session, or of the agent. */
  model?: string;
  /** Win over those of the session, field by field. */
  parameters?: ModelParameters;
  metadata?: Record<string, unknown>;
  /** The trace of the request. */
  trace?: TraceContext | undefined;
  /** Names the request in the log lines of its run; not stored. */
  requestId?: string | undefined;
  idempotency?: RequestKey;
  /** Writes more in the transaction that accepts a new run. */
  alsoWrite?: (tx: StoreTransaction, run: RunRecord) => Promise<void>;
}

export interface Claimed {
  run: RunRecord;
  event: RunEvent;
  /** Present when the session was read on the way. */
  session?: SessionRecord;
}

export interface Admission {
  run: RunRecord;
  /** Present when the run can start at once. */
  claimed?: Claimed;
  /** True when the run needs what only the commit lets it read: its images. */
  startsAfterCommit?: boolean;
  /** True when the run waits only for a free slot. */
  isNext?: boolean;
  /** True when an earlier request with the same key started the run. */
  deduplicated: boolean;
  /** True when the text was sent into `run`, which was already active. */
  steered?: boolean;
}

/** A task for a crew member. The caller chooses the ids, so that an event of the parent can name them. */
export interface ChildRequest
  extends Required<Pick<StartRequest, 'tenantId' | 'text' | 'agent' | 'locale' | 'interaction' | 'limits'>>,
    Pick<StartRequest, 'keyName' | 'model' | 'parameters' | 'trace'> {
  runId: string;
  sessionId: string;
  parent: RunParent;
}
