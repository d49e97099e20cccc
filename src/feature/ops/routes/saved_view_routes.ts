/** DOOR 2, views of lists that operators save under a name. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, principalOf, queryOf } from '../../../controller/http_request';
import { listOrPage } from '../../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { InjectService } from '../../../inject_service';
import { decode } from '../../../wire/decode';
import { DeleteSavedViewQuery, SavedView, SavedViewName, SavedViewsQuery, SaveViewRequest } from '../schemas/saved_view_schemas';
import type { SavedViewRecord } from '../store/saved_views';
import type { OpsServices } from './ops_services';

const VIEW = named('OpsSavedView', SavedView);

const { Get, Put, Delete } = routesWith({ tag: 'ops' });

@Controller('/api/v1/ops/views')
export class SavedViewsController extends RestController {
  @InjectService<OpsServices>() savedViewService!: OpsServices['savedViewService'];

  @Get('/', 'listOpsViews', {
    scope: 'ops:read',
    summary: { en: 'List the saved views of your tenant by screen and name', 'zh-CN': '按页面和名称列出本租户已保存的视图' },
    query: SavedViewsQuery,
    answers: page(VIEW),
    errors: ['store_unavailable'],
  })
  async list() {
    const { screen, ...query } = queryOf(this.ctx, SavedViewsQuery);
    const views = await this.savedViewService.listViews(principalOf(this.ctx), screen);
    return encodePage(
      listOrPage(views, query, view => JSON.stringify([view.screen, view.name])),
      toWireView,
    );
  }

  @Put('/:name', 'saveOpsView', {
    scope: 'ops:write',
    summary: { en: 'Save a view of a list under a name', 'zh-CN': '以一个名称保存列表的视图' },
    description: {
      en: 'For all operators of your tenant. A view of the same name and screen is replaced.',
      'zh-CN': '供本租户的所有运维人员使用。同一页面上同名的视图会被替换。',
    },
    body: SaveViewRequest,
    answers: done(VIEW),
    errors: ['store_unavailable'],
  })
  async save(@Param('name') name: string) {
    decode(SavedViewName, { name });
    const view = { ...bodyOf(this.ctx, SaveViewRequest), name };
    return toWireView(await this.savedViewService.saveView(principalOf(this.ctx), view));
  }

  @Delete('/:name', 'deleteOpsView', {
    scope: 'ops:write',
    summary: { en: 'Delete a saved view', 'zh-CN': '删除一个已保存的视图' },
    query: DeleteSavedViewQuery,
    answers: { 204: { description: { en: 'The view is deleted', 'zh-CN': '视图已删除' } } },
    errors: ['store_unavailable'],
  })
  async delete(@Param('name') name: string) {
    const { screen } = queryOf(this.ctx, DeleteSavedViewQuery);
    await this.savedViewService.deleteView(principalOf(this.ctx), { screen, name });
    this.ctx.status = 204;
  }
}

const toWireView = ({ tenantId: _, savedAt, ...view }: SavedViewRecord) => ({ ...view, savedAt: new Date(savedAt).toISOString() });
