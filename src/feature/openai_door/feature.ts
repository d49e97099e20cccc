/** DOOR 3: agents as the models of OpenAI's API, for its clients. */
import type { Feature } from '../../feature';
import { ChatController } from './chat/chat_routes';
import { ConversationsController } from './conversations/conversation_routes';
import { ConversationService } from './conversations/conversation_service';
import type { ConversationServices } from './conversations/item_requests';
import { ItemService } from './conversations/item_service';
import { OpenAiModelsController } from './model_routes';
import { openAiForm } from './openai_form';
import { ResponsesController } from './responses/response_routes';
import { ResponseService, type ResponseServices } from './responses/response_service';
import { responseStore } from './responses/store/response_store';

export const openAiDoor: Feature = {
  name: 'openai_door',
  routes: [ChatController, ResponsesController, ConversationsController, OpenAiModelsController],
  doorPath: '/v1',
  form: openAiForm,
  store: responseStore,
  install({ ports: { store, clock, ids, logger }, auditLog, sessionWatch, agentExecutor: executor, sessionService: sessions }) {
    const responseService = new ResponseService({ store, clock, auditLog, executor, sessions, onError: logger.error });
    const conversations = {
      conversationService: new ConversationService({ store, sessions }),
      itemService: new ItemService({ store, clock, ids, auditLog, sessionWatch }),
    } satisfies ConversationServices;
    return { services: { responseService, ...conversations } satisfies ResponseServices, cleanUp: () => responseService.deleteUnkept() };
  },
};
