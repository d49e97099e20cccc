/** DOOR 3: agents as the models of OpenAI's API, for its clients. */
import type { Feature } from '../../feature';
import { ChatController } from './chat/chat_routes';
import { CompactionController } from './compaction/compaction_routes';
import { ConversationsController } from './conversations/conversation_routes';
import { ConversationService } from './conversations/conversation_service';
import type { ConversationServices } from './conversations/item_requests';
import { ItemService } from './conversations/item_service';
import { EmbeddingsController } from './embeddings/embedding_routes';
import { Embeddings, type EmbeddingsServices } from './embeddings/embeddings';
import { exportFiles } from './files/export_files';
import { OpenAiFilesController } from './files/file_routes';
import type { FileServices } from './files/file_services';
import { InputFiles } from './files/input_files';
import { UploadedFiles } from './files/uploaded_files';
import { CompactionSeals, type ItemSealServices } from './items/compaction_seals';
import { OpenAiModelsController } from './model_routes';
import { openAiForm } from './openai_form';
import { ResponsesController } from './responses/response_routes';
import { ResponseService, type ResponseServices } from './responses/response_service';
import { openAiStore } from './store/openai_store';

export const openAiDoor: Feature = {
  name: 'openai_door',
  routes: [
    ChatController,
    ResponsesController,
    CompactionController,
    ConversationsController,
    OpenAiFilesController,
    EmbeddingsController,
    OpenAiModelsController,
  ],
  doorPath: '/v1',
  form: openAiForm,
  store: openAiStore,
  install({
    ports: { store, clock, ids, logger, web, sealer, embedding: model },
    dayBudgets,
    auditLog,
    fileService: files,
    sessionWatch,
    agentExecutor: executor,
    sessionService: sessions,
    modelCatalog: models,
    ownedThings,
  }) {
    const responseService = new ResponseService({ store, clock, auditLog, executor, sessions, onError: logger.error });
    const conversations = {
      conversationService: new ConversationService({ store, ids, sessions }),
      itemService: new ItemService({ store, clock, ids, auditLog, sessionWatch }),
    } satisfies ConversationServices;
    const uploadedFiles = new UploadedFiles({ store, clock, ids, ownedThings, auditLog, files, onError: logger.error });
    const fileServices = { uploadedFiles, inputFiles: new InputFiles({ uploadedFiles, web, models }) } satisfies FileServices;
    const compactionSeals = new CompactionSeals({ sealer });
    const embeddings = new Embeddings({ model, store, clock, dayBudgets });
    const cleanUp = async () => {
      await responseService.deleteUnkept();
      await uploadedFiles.deleteExpired();
    };
    return {
      services: { responseService, embeddings, compactionSeals, ...conversations, ...fileServices } satisfies ResponseServices &
        EmbeddingsServices &
        ItemSealServices,
      uploads: uploadedFiles,
      exportData: (read, tenantId) => exportFiles(read, tenantId, clock.now()),
      cleanUp,
    };
  },
};
