/** DOOR 2, the models that a request can choose. */
import { Controller } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { ModelSupervisor } from '../service/model/model_supervisor';
import { toWireModel } from '../wire/wire_models';
import { page, Serve } from './route';

@Controller('/api/v1/models')
export class ModelsController {
  @InjectService()
  modelSupervisor!: ModelSupervisor;

  @Serve({
    method: 'get',
    path: '/',
    operationId: 'listModels',
    scope: 'any',
    tag: 'models',
    summary: { en: 'List the models and their state', 'zh-CN': '列出模型及其状态' },
    answers: page('Model'),
    isDocument: true,
  })
  async list() {
    return { data: this.modelSupervisor.listModels().map(toWireModel) };
  }
}
