/** DOOR 2, the models that a request can choose. */
import { Controller } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { ModelSupervisor } from '../service/model/model_supervisor';
import { toWireModel } from '../wire/wire_models';
import { queryOf } from './http_request';
import { listOrPage } from './list_pages';
import { page, RestController, routesWith } from './route';
import { ListQuery } from './schemas/common';

const { Get } = routesWith({ scope: 'any', tag: 'models' });

@Controller('/api/v1/models')
export class ModelsController extends RestController {
  @InjectService() modelSupervisor!: ModelSupervisor;

  @Get('/', 'listModels', {
    summary: { en: 'List the models and their state', 'zh-CN': '列出模型及其状态' },
    query: ListQuery,
    answers: page('Model'),
    isDocument: true,
  })
  async list() {
    return listOrPage(this.modelSupervisor.listModels().map(toWireModel), queryOf(this.ctx, ListQuery), ({ id }) => id);
  }
}
