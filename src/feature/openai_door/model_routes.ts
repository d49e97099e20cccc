/** DOOR 3, models: each agent is one. */
import { Controller, Param } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { principalOf } from '../../controller/http_request';
import { agentOfModel } from '../../controller/model_door/model_name';
import { done, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { InjectService } from '../../inject_service';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { ModelCatalog } from '../../service/model/model_catalog';
import type { ServiceSettings } from '../../service/service_settings';
import { says } from '../../utils/bilingual';
import { toIsoTime } from '../../utils/iso_time';
import { OPENAI_TAG, READ_QUERY } from './shared/openai_route';

/** Seconds since 1970; agents have no time of their own. */
const STARTED = Math.floor(performance.timeOrigin / 1000);

const OpenAiModel = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  created: Type.Integer(),
  owned_by: Type.String(),
  // The names of Anthropic, whose clients list models at the same address.
  type: Type.Literal('model'),
  display_name: Type.String(),
  created_at: Type.String(says('ISO 8601 in UTC', 'ISO 8601 格式的 UTC 时间')),
});
const OpenAiModels = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(OpenAiModel),
  first_id: Type.Union([Type.String(), Type.Null()]),
  last_id: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Literal(false),
});

const { Get } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/models')
export class OpenAiModelsController extends RestController {
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() modelCatalog!: ModelCatalog;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/', 'listOpenAiModels', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'List the agents as models', 'zh-CN': '以模型的形式列出智能体' },
    answers: done(named('OpenAiModels', OpenAiModels)),
  })
  async list() {
    const agents = this.visibleAgents.listAgents(this.serviceSettings.defaultLocale, principalOf(this.ctx));
    const data = agents.map(({ name, label }) => toModel(name, label));
    return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false };
  }

  @Get('/:id(.*)', 'getOpenAiModel', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'Read an agent as a model', 'zh-CN': '以模型的形式读取一个智能体' },
    answers: done(named('OpenAiModel', OpenAiModel)),
  })
  async get(@Param('id') id: string) {
    agentOfModel(id, principalOf(this.ctx), this);
    return toModel(id);
  }
}

const toModel = (id: string, displayName = id) => ({
  id,
  object: 'model',
  created: STARTED,
  owned_by: 'neta-gateway',
  type: 'model',
  display_name: displayName,
  created_at: toIsoTime(STARTED * 1000),
});
