/** DOOR 3: agents as the models of OpenAI's API, for its clients. */
import type { Feature } from '../../feature';
import { ChatController } from './chat/chat_routes';
import { OpenAiModelsController } from './model_routes';
import { openAiForm } from './openai_form';
import { ResponsesController } from './responses/response_routes';
import { ResponseService, type ResponseServices } from './responses/response_service';
import { responseStore } from './responses/store/response_store';

export const openAiDoor: Feature = {
  name: 'openai_door',
  routes: [ChatController, ResponsesController, OpenAiModelsController],
  doorPath: '/v1',
  form: openAiForm,
  store: responseStore,
  install({ ports: { store, clock, logger }, auditLog, agentExecutor: executor, sessionService: sessions }) {
    const responseService = new ResponseService({ store, clock, auditLog, executor, sessions, onError: logger.error });
    return { services: { responseService } satisfies ResponseServices, cleanUp: () => responseService.deleteUnkept() };
  },
};
