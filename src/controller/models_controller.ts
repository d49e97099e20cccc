/** DOOR 2, the models that a request can choose. */
import { Controller, Inject } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { InjectService } from '../inject_service';
import type { ModelSupervisor } from '../service/model/model_supervisor';
import { createDecoder } from '../wire/decode';
import { toWireModel } from '../wire/wire_models';
import { listOrPage } from './list_pages';
import { page, Serve } from './route';
import { ListQuery } from './schemas/common';

const decodeQuery = createDecoder(ListQuery);

@Controller('/api/v1/models')
export class ModelsController {
  @Inject()
  ctx!: Context;
  @InjectService()
  modelSupervisor!: ModelSupervisor;

  @Serve({
    method: 'get',
    path: '/',
    operationId: 'listModels',
    scope: 'any',
    tag: 'models',
    summary: { en: 'List the models and their state', 'zh-CN': '列出模型及其状态' },
    query: ListQuery,
    answers: page('Model'),
    isDocument: true,
  })
  async list() {
    return listOrPage(this.modelSupervisor.listModels().map(toWireModel), decodeQuery({ ...this.ctx.query }), ({ id }) => id);
  }
}
