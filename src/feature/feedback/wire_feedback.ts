/** Encodes feedback: ISO times, no tenant. */
import type { FeedbackRecord } from './store/feedback_records';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function toWireFeedback({ tenantId: _tenant, createdAt, updatedAt, ...feedback }: FeedbackRecord) {
  return { ...feedback, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}
