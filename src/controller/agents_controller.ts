/** DOOR 2, the agents that a run can name. */
import { Controller, Param } from '@midwayjs/core';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import type { VisibleAgents } from '../service/agent/visible_agents';
import type { ModelCatalog } from '../service/model/model_catalog';
import type { ServiceSettings } from '../service/service_settings';
import { decodeId } from '../wire/decode';
import { toWireAgent } from '../wire/wire_records';
import { encodePage, principalOf, queryOf, writtenLocaleOf } from './http_request';
import { listOrPage } from './list_pages';
import { done, page, RestController, routesWith } from './route';
import { LanguageHeader, ListQuery } from './schemas/common';

const { Get } = routesWith({ scope: 'any', tag: 'agents' });

@Controller('/api/v1/agents')
export class AgentsController extends RestController {
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() modelCatalog!: ModelCatalog;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/', 'listAgents', {
    summary: { en: 'List the agents that the caller sees', 'zh-CN': '列出调用方能看到的智能体' },
    query: ListQuery,
    headers: LanguageHeader,
    answers: page('Agent'),
    isDocument: true,
  })
  async list() {
    const agents = this.visibleAgents.listAgents(writtenLocaleOf(this.ctx, this.serviceSettings.defaultLocale), principalOf(this.ctx));
    const rows = listOrPage(agents, queryOf(this.ctx, ListQuery), ({ name }) => name);
    return encodePage(rows, agent => toWireAgent(agent, this.modelCatalog.shownName(agent.model)));
  }

  @Get('/:name', 'getAgent', {
    summary: { en: 'Read an agent', 'zh-CN': '读取一个智能体' },
    headers: LanguageHeader,
    answers: done('Agent'),
    isDocument: true,
  })
  async get(@Param('name') name: string) {
    const agent = this.visibleAgents.findAgent(
      decodeId(name),
      writtenLocaleOf(this.ctx, this.serviceSettings.defaultLocale),
      principalOf(this.ctx),
    );
    if (!agent) throw new AppError('not_found', { param: '/name', message: 'There is no such agent.', messageZh: '没有这个智能体。' });
    return toWireAgent(agent, this.modelCatalog.shownName(agent.model));
  }
}
