/** Webhooks that are limited to one run, for doors whose clients ask to be told of it, and the forms in which they are told. */
import { AppError } from '../../errors';
import type { Actor } from '../../port/principal';
import type { RunStatus } from '../../port/run_event';
import type { StoreTransaction } from '../../port/store/store';

export interface RunWebhook {
  runId: string;
  /** Name that the client gave it; unique in the run. */
  label: string;
  url: string;
  /** Name of the form of its bodies. */
  form: string;
  /** Header fields of each delivery, such as a token of the client. */
  headers: Readonly<Record<string, string>>;
}

/** What a webhook is told of: its run has ended, or waits for a person. */
export interface RunNews {
  tenantId: string;
  runId: string;
  status: RunStatus;
  /** ISO time. */
  timestamp: string;
}

/** The body of a door, for what webhooks announce. */
export interface WebhookForm {
  contentType: string;
  /** Resolves undefined for a run that was deleted. Rejects while the store is unavailable; the delivery is then tried again. */
  toBody(news: RunNews): Promise<string | undefined>;
}

export interface RunWebhooks {
  /** False in a gateway without webhooks: the other methods then reject. */
  readonly isAvailable: boolean;
  /** Throws `invalid_request` for an address that no webhook may reach, and names `field`. */
  checkUrl(url: string, field: string): string;
  /**
   * Stores a webhook, or changes the one of the same label. Call it in a transaction with the lock of the session, in which the run has not ended.
   * Rejects `quota_exceeded`.
   */
  put(tx: StoreTransaction, actor: Actor, webhook: RunWebhook): Promise<void>;
  /** Gives the webhooks of a run to the run `nextId` too, which a message of the first begins. Call it in the transaction that stores this run. */
  passOn(tx: StoreTransaction, run: Actor & { id: string }, nextId: string): Promise<void>;
  /** Lists those of a run, oldest first. */
  list(tenantId: string, runId: string): Promise<RunWebhook[]>;
  /** Resolves false when there is none of this label. */
  delete(actor: Actor, runId: string, label: string): Promise<boolean>;
}

const unavailable = (): never => {
  throw new AppError('not_found', { message: 'This gateway has no webhooks.', messageZh: '此网关没有 webhook 功能。' });
};

/** The value for gateways without the feature. */
export const NO_RUN_WEBHOOKS: RunWebhooks = {
  isAvailable: false,
  checkUrl: unavailable,
  put: async () => unavailable(),
  passOn: async () => {},
  list: async () => [],
  delete: async () => false,
};
