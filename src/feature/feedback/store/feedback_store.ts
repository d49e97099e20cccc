/** The owner that ratings of answers add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { FeedbackTable } from './feedback_table';

export const feedbackStore: StorePart = { owners: { feedback: db => new FeedbackTable(db) } };
