/** Webhooks, and the deliveries of events to them. Times are milliseconds since 1970. */

import type { Page, PageRequest } from '../../../port/store/page';
import type { TraceContext } from '../../../port/trace_context';
import type { WebhookEvent } from '../../../port/webhook_sender';

export interface WebhookRecord {
  tenantId: string;
  id: string;
  url: string;
  events: readonly WebhookEvent[];
  /** Signs the deliveries: `whsec_` and 24 to 64 bytes in base64. Signing needs it, so it is stored as it is. */
  secret: string;
  /** The reason why the gateway disabled the webhook. */
  disabledReason?: string;
  createdAt: number;
  /** Name of the caller that made the webhook. Absent for one that is older than this field, which counts as that of a key. */
  madeBy?: string;
  /** Set when the webhook hears of this run alone. */
  runId?: string;
  /** Name that a client gave the webhook of a run; unique in the run. */
  label?: string;
  /** Name of the form of the bodies. Absent: the form of webhooks. */
  form?: string;
  /** Header fields of each delivery, beside the signature. */
  headers?: Readonly<Record<string, string>>;
  /** The run of `runId` has ended: the webhook hears of nothing more. */
  runEndedAt?: number;
}

/** Where and how a webhook of a run is told. */
export type WebhookPlace = Pick<WebhookRecord, 'url' | 'form' | 'headers'>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryRecord {
  tenantId: string;
  id: string;
  webhookId: string;
  type: WebhookEvent;
  /** The body, JSON. */
  body: string;
  status: DeliveryStatus;
  /** Tries that began. */
  attempts: number;
  /** Time of the next try. While a try goes on: the time from which another process may take the delivery over. Absent when no try follows. */
  nextAttemptAt?: number;
  /** HTTP status of the last answer. */
  lastStatus?: number;
  lastError?: string;
  createdAt: number;
  deliveredAt?: number;
  /** The trace of the run that the delivery announces. */
  trace?: TraceContext;
}

/** The result of one try. */
export type DeliveryPatch = Pick<DeliveryRecord, 'status' | 'nextAttemptAt' | 'lastStatus' | 'lastError' | 'deliveredAt'>;

export interface WebhookReader {
  /** All tenants: lists the webhooks that hear of all runs, the oldest first. */
  all(): Promise<WebhookRecord[]>;
  /** Lists the webhooks that are limited to a run, the oldest first. */
  ofRun(tenantId: string, runId: string): Promise<WebhookRecord[]>;
  get(tenantId: string, id: string): Promise<WebhookRecord | undefined>;
  /** Lists the newest first; of the same time, the higher id first. */
  listDeliveries(tenantId: string, webhookId: string, page: PageRequest): Promise<Page<DeliveryRecord>>;
  getDelivery(tenantId: string, id: string): Promise<DeliveryRecord | undefined>;
  /** All tenants: the time of the next try, of all pending deliveries. */
  nextDeliveryAt(): Promise<number | undefined>;
  /** All tenants: counts pending deliveries, up to 10,000. */
  countPending(): Promise<number>;
}

export interface WebhookWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(webhook: WebhookRecord): Promise<void>;
  /** Deletes the webhook and its deliveries. Resolves false when it does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** Sends to this place from now on, also from a disabled webhook, which is enabled again. Resolves false when the webhook does not exist. */
  moveTo(tenantId: string, id: string, place: WebhookPlace): Promise<boolean>;
  /** Disables a webhook for new events, and ends its pending deliveries as failed. */
  disable(tenantId: string, id: string, reason: string): Promise<void>;
  /**
   * Reads the webhooks of a tenant that hear of all runs or of this run, the oldest first. No other transaction deletes one of them before this one
   * ends.
   */
  hold(tenantId: string, runId: string | undefined): Promise<WebhookRecord[]>;
  /** The run has ended: its webhooks hear of nothing more. */
  endRun(tenantId: string, runId: string, now: number): Promise<void>;
  /**
   * All tenants: deletes at most `limit` webhooks of runs, of which the run has ended before one time, or which were made before the other. Resolves with
   * their number.
   */
  deleteOfEndedRuns(times: { endedBefore: number; createdBefore: number }, limit: number): Promise<number>;
  insertDeliveries(deliveries: readonly DeliveryRecord[]): Promise<void>;
  /** All tenants: counts one more attempt of up to `limit` deliveries that are due at `now`, the earliest first, and reserves these until `until`. */
  claimDeliveries(limit: number, times: { now: number; until: number }): Promise<DeliveryRecord[]>;
  /** Stores the result of the try with this number. A later try has a result of its own. */
  updateDelivery(tenantId: string, id: string, attempt: number, patch: DeliveryPatch): Promise<void>;
  /** Makes an ended delivery pending again. Resolves false when it is pending or does not exist. */
  replayDelivery(tenantId: string, id: string, now: number): Promise<boolean>;
  /** All tenants: deletes at most `limit` ended deliveries that were made before `time`. Resolves with their number. */
  deleteOldDeliveries(time: number, limit: number): Promise<number>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly webhooks: WebhookReader;
  }
  interface StoreWriters {
    webhooks: WebhookWriter;
  }
}
