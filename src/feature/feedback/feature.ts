/** Feedback: ratings that people give to answers. */
import type { Feature } from '../../feature';
import { allOf } from '../../service/all_pages';
import { FeedbackService, type FeedbackServices } from './feedback_service';
import { FeedbackController, OpsFeedbackController } from './routes';
import { feedbackStore } from './store/feedback_store';
import { toWireFeedback } from './wire_feedback';

export const feedback: Feature = {
  name: 'feedback',
  routes: [FeedbackController, OpsFeedbackController],
  store: feedbackStore,
  install({ ports: { store, clock, ids, observer }, profiles, modelCatalog, textReads, privateTexts }) {
    const feedbackService = new FeedbackService({
      store,
      clock,
      ids,
      observer,
      textReads,
      privateTexts,
      modelOf: ({ model, agent, tenantId }) => modelCatalog.shownName(model ?? profiles.findProfile(agent, tenantId)?.model),
    });
    return {
      services: { feedbackService } satisfies FeedbackServices,
      async *exportData(read, tenantId) {
        for await (const record of allOf(page => read.feedback.list({ tenantId }, {}, page)))
          yield {
            type: 'feature',
            name: 'feedback',
            data: toWireFeedback(record),
            sessionId: record.sessionId,
            by: record.keyName,
            erase: tx => tx.feedback.delete(tenantId, record.runId, record.keyName),
          };
      },
    };
  },
};
