/** DOOR 3, models: each agent is one. */
import { Controller, Param } from '@midwayjs/core';
import { InjectService } from '../../inject_service';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import type { ModelCatalog } from '../../service/model/model_catalog';
import type { ServiceSettings } from '../../service/service_settings';
import { done, Serve } from '../route';
import { agentOfModel } from './model_name';

/** Seconds since 1970; agents have no time of their own. */
const STARTED = Math.floor(performance.timeOrigin / 1000);

@Controller('/v1/models')
export class OpenAiModelsController {
  @InjectService()
  agentDirectory!: AgentDirectory;
  @InjectService()
  modelCatalog!: ModelCatalog;
  @InjectService()
  serviceSettings!: ServiceSettings;

  @Serve({
    method: 'get',
    path: '/',
    operationId: 'listOpenAiModels',
    scope: 'chat',
    tag: 'openai',
    summary: { en: 'List the agents as models', 'zh-CN': '以模型的形式列出智能体' },
    answers: done('OpenAiModels'),
  })
  async list() {
    const agents = this.agentDirectory.listAgents(this.serviceSettings.defaultLocale);
    return { object: 'list', data: agents.map(({ name }) => toModel(name)) };
  }

  @Serve({
    method: 'get',
    path: '/:id(.*)',
    operationId: 'getOpenAiModel',
    scope: 'chat',
    tag: 'openai',
    summary: { en: 'Read an agent as a model', 'zh-CN': '以模型的形式读取一个智能体' },
    answers: done('OpenAiModel'),
  })
  async get(@Param('id') id: string) {
    agentOfModel(id, this.agentDirectory, this.modelCatalog);
    return toModel(id);
  }
}

const toModel = (id: string) => ({ id, object: 'model', created: STARTED, owned_by: 'neta-gateway' });
