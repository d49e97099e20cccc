/** DOOR 8, A2A 1.0: agents of other makers send messages, and runs are their tasks. */
import type { Feature } from '../../feature';
import type { A2aServices } from './a2a_caller';
import { a2aForm } from './a2a_errors';
import { A2A_FORM, taskForm } from './push_form';
import { A2aCardController, A2aController } from './routes';

export const a2aDoor: Feature = {
  name: 'a2a_door',
  routes: [A2aCardController, A2aController],
  doorPath: '/a2a',
  form: a2aForm,
  install({ ports: { store, clock }, ...core }) {
    const { visibleAgents, agentExecutor, answerService, approvalService, questionService } = core;
    const { givenConversations, imageService, keyRing, sessionAccess, runService, serviceSettings, runWebhooks } = core;
    const a2aDeps = {
      store,
      clock,
      visibleAgents,
      agentExecutor,
      answerService,
      approvalService,
      questionService,
      givenConversations,
      imageService,
      keyRing,
      sessionAccess,
      runService,
      serviceSettings,
      runWebhooks,
    };
    const form = taskForm({ runService, questionService });
    return { services: { a2aDeps } satisfies A2aServices, webhookForms: { [A2A_FORM]: form } };
  },
};
