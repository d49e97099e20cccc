/** The owner that webhooks add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { WebhookTable } from './webhook_table';

export const webhookStore: StorePart = { owners: { webhooks: db => new WebhookTable(db) } };
