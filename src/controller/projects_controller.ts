/** DOOR 2, projects: names under which people put their chats. */

import { Controller } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { SessionAccess } from '../service/access/session_access';
import type { SessionService } from '../service/session/session_service';
import { encodePage, principalOf, queryOf, tenantOf } from './http_request';
import { listOrPage } from './list_pages';
import { page, RestController, routesWith } from './route';
import { ListQuery } from './schemas/common';

const { Get } = routesWith({ scope: 'chat', tag: 'sessions' });

@Controller('/api/v1/projects')
export class ProjectsController extends RestController {
  @InjectService() sessionService!: SessionService;
  @InjectService() sessionAccess!: SessionAccess;

  @Get('/', 'listProjects', {
    summary: { en: 'List the projects, by name', 'zh-CN': '按名称列出项目' },
    description: {
      en: 'A project exists while a chat is in it: PATCH /sessions/{id} moves a chat. At most 500.',
      'zh-CN': '有对话属于它时项目才存在：用 PATCH /sessions/{id} 移动对话。最多 500 个。',
    },
    query: ListQuery,
    answers: page('Project'),
  })
  async list() {
    const projects = await this.sessionService.listProjects(tenantOf(this.ctx), this.sessionAccess.viewerOf(principalOf(this.ctx)));
    const rows = listOrPage(projects, queryOf(this.ctx, ListQuery), ({ name }) => name);
    return encodePage(rows, project => project);
  }
}
