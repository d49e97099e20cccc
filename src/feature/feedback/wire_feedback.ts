/** Encodes feedback: ISO times, no tenant. */
import { toIsoTime } from '../../utils/iso_time';
import type { FeedbackRecord } from './store/feedback_records';

export function toWireFeedback({ tenantId: _tenant, createdAt, updatedAt, ...feedback }: FeedbackRecord) {
  return { ...feedback, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
}
