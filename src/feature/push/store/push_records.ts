/** Devices that get notifications by web push, notifications that wait, and one-time actions. Times are milliseconds since 1970. */
import type { PushKeys } from '../../../port/push_sender';
import type { Locale } from '../../../port/store/sessions';

/** A browser that gets notifications, for the API key that it was logged in with. */
export interface PushSubscriptionRecord {
  tenantId: string;
  id: string;
  /** The address at the push service. Whoever knows it can send to the device, so it is never shown. */
  endpoint: string;
  /** The browser's key, `p256dh`: an uncompressed point on P-256 in base64url. */
  publicKey: string;
  /** The browser's secret, `auth`: 16 bytes in base64url. */
  authSecret: string;
  locale: Locale;
  keyName: string;
  /** SHA-256 of the secret of the API key. The subscription ends with that key. Absent: it ends when the gateway gets its first key. */
  keyHash?: string;
  createdAt: number;
  /** Browser and system of the device, such as `Chrome, Android`. */
  name?: string;
  /** False: notifications say only that something waits, for a lock screen that others see. */
  preview: boolean;
  /** When the push service last took a notification for the device. */
  lastUsedAt?: number;
}

/** The fields that change when a device subscribes again. */
export type PushSubscriptionChange = Pick<PushSubscriptionRecord, 'publicKey' | 'authSecret' | 'locale' | 'keyName' | 'name' | 'preview'>;

/** login: an unusual sign-in of the person, or a change of the ways to log in. */
export type PushKind = 'question' | 'approval' | 'end' | 'login';

/** A notification that waits for its delivery. Its text is written when it is sent. */
export interface PushDeliveryRecord {
  tenantId: string;
  id: string;
  subscriptionId: string;
  kind: PushKind;
  /** The chat that the notification opens: for a crew member's question, that of its master. '' for a login, as is the run. */
  sessionId: string;
  runId: string;
  /** The question or the approval. */
  requestId?: string;
  /** The status with which the run ended; of a login what happened, see LOGIN_NOTICES. */
  outcome?: string;
  /** Tries that began. */
  attempts: number;
  /** Time of the next try. While a try goes on: the time from which another process may take the delivery over. */
  nextAttemptAt: number;
  expiresAt: number;
}

/** The right to decide one approval once. The token itself is known to the device alone. */
export interface PushActionRecord {
  /** SHA-256 of the token, in hexadecimal digits. */
  tokenHash: string;
  tenantId: string;
  subscriptionId: string;
  /** The approval. */
  requestId: string;
  /** Hash of the tool and the arguments that the device showed. */
  argumentsHash: string;
  keyName: string;
  keyHash?: string;
  expiresAt: number;
  usedAt?: number;
}

export interface PushReader {
  /** The key pair of this store. */
  keys(): Promise<PushKeys | undefined>;
  /** All tenants: those that have a subscription. */
  tenants(): Promise<string[]>;
  /** The subscriptions of a tenant, oldest first. */
  list(tenantId: string): Promise<PushSubscriptionRecord[]>;
  get(tenantId: string, id: string): Promise<PushSubscriptionRecord | undefined>;
  /** All tenants: the subscription with this endpoint. */
  findEndpoint(endpoint: string): Promise<PushSubscriptionRecord | undefined>;
  /** All tenants: the earliest time of a next try. */
  nextDeliveryAt(): Promise<number | undefined>;
  findAction(tokenHash: string): Promise<PushActionRecord | undefined>;
}

export interface PushWriter {
  /** Stores the key pair unless there is one. */
  insertKeys(keys: PushKeys, createdAt: number): Promise<void>;
  /** Rejects with `internal` when the id or the endpoint is taken. */
  insert(subscription: PushSubscriptionRecord): Promise<void>;
  /** Changes a subscription, and keeps its deliveries and its actions. */
  update(tenantId: string, id: string, change: PushSubscriptionChange): Promise<void>;
  setLastUse(tenantId: string, id: string, lastUsedAt: number): Promise<void>;
  /** Deletes a subscription, its deliveries and its actions. Resolves false when it does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** All tenants: deletes the subscription with this endpoint. */
  deleteEndpoint(endpoint: string): Promise<void>;
  /** Reads the subscriptions of a tenant, oldest first. No other transaction deletes one of them before this one ends. */
  hold(tenantId: string): Promise<PushSubscriptionRecord[]>;
  insertDeliveries(deliveries: readonly PushDeliveryRecord[]): Promise<void>;
  /** All tenants: counts one more attempt of up to `limit` deliveries that are due at `now`, the earliest first, and reserves these until `until`. */
  claimDeliveries(limit: number, times: { now: number; until: number }): Promise<PushDeliveryRecord[]>;
  /** Sets the time of the next try, unless a later try than `attempt` has begun. */
  retryDelivery(tenantId: string, id: string, attempt: number, at: number): Promise<void>;
  deleteDelivery(tenantId: string, id: string): Promise<void>;
  insertAction(action: PushActionRecord): Promise<void>;
  /** Compare-and-set from unused and unexpired. Resolves whether this call used it. */
  useAction(tokenHash: string, now: number): Promise<boolean>;
  /** All tenants: deletes at most `limit` actions that expired before `time`. Resolves with their number. */
  deleteOldActions(time: number, limit: number): Promise<number>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly push: PushReader;
  }
  interface StoreWriters {
    push: PushWriter;
  }
}
