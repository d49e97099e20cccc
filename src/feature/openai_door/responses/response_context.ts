/** The services that read a request for a response. */
import type { Context } from '@midwayjs/koa';
import { localeOf, originOf, principalOf, tenantOf } from '../../../controller/http_request';
import { passForeignFields, takenFields } from '../../../controller/model_door/foreign_fields';
import type { SessionAccess } from '../../../service/access/session_access';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import type { VisibleAgents } from '../../../service/agent/visible_agents';
import type { ImageService } from '../../../service/image/image_service';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { ConversationService } from '../conversations/conversation_service';
import type { CompactionSeals } from '../items/compaction_seals';
import type { TakeFile } from '../items/input_items';
import { ResponseRequest } from './response_request_schema';
import type { ResponseService } from './response_service';
import type { StartContext } from './response_start';

interface ContextDeps {
  responseService: ResponseService;
  sessionAccess: SessionAccess;
  conversationService: ConversationService;
  compactionSeals: CompactionSeals;
  imageService: ImageService;
  agentDirectory: AgentDirectory;
  visibleAgents: VisibleAgents;
  modelCatalog: ModelCatalog;
}

export function startContextOf(ctx: Context, deps: ContextDeps, { body, takeFile }: { body: unknown; takeFile: TakeFile }): StartContext {
  const tenantId = tenantOf(ctx);
  return {
    principal: principalOf(ctx),
    origin: originOf(ctx),
    responses: deps.responseService,
    sessionAccess: deps.sessionAccess,
    conversations: deps.conversationService,
    takeFile,
    openSummary: deps.compactionSeals.openerFor(tenantId),
    images: deps.imageService,
    visibleAgents: deps.visibleAgents,
    modelCatalog: deps.modelCatalog,
    locale: localeOf(ctx, 'en'),
    passForeignFields: named =>
      passForeignFields(ctx, Object(body), { schema: ResponseRequest, taken: takenFields(named, tenantId, deps) }),
  };
}
