/** DOOR 2, the preview of a run: what it would send to the model. */
import { Controller } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { ImageService } from '../service/image/image_service';
import { readRequestParameters } from '../service/model/model_parameters';
import { readOutputSchema } from '../service/run/output_schema';
import type { RunPreviewService } from '../service/run/run_preview';
import type { ServiceSettings } from '../service/service_settings';
import { bodyOf, checkMetadata, principalOf, tenantOf } from './http_request';
import { ATTACHMENTS, done, RestController, routesWith } from './route';
import { RunRequest } from './schemas/run_schemas';

const { Post } = routesWith({ scope: 'chat', tag: 'runs' });

@Controller('/api/v1/runs')
export class RunPreviewController extends RestController {
  @InjectService() runPreviewService!: RunPreviewService;
  @InjectService() imageService!: ImageService;
  @InjectService() serviceSettings!: ServiceSettings;

  @Post('/preview', 'previewRun', {
    summary: { en: 'Explain what a run would send to the model', 'zh-CN': '说明一个运行会发给模型什么' },
    description: {
      en: 'Takes the same body as POST /runs, without editOf and regenerate; runs nothing and stores nothing.',
      'zh-CN': '请求体与 POST /runs 相同，但没有 editOf 和 regenerate；不运行也不存储任何内容。',
    },
    body: RunRequest,
    longField: 'input',
    imagesIn: ATTACHMENTS,
    answers: done('RunPreview'),
    errors: ['store_unavailable'],
  })
  async preview() {
    const request = bodyOf(this.ctx, RunRequest);
    checkMetadata(request);
    const { input, images, files, clarify = 'text', sessionId, agent, model, parameters, locale, limits, tools, output } = request;
    this.ctx.status = 200;
    return this.runPreviewService.previewRun({
      tenantId: tenantOf(this.ctx),
      keyName: principalOf(this.ctx).keyName,
      text: input,
      ...(await this.imageService.readAttachments(tenantOf(this.ctx), { images, files })),
      interaction: { clarify, clarifyTimeoutMs: this.serviceSettings.clarify.declaredTimeoutMs },
      sessionId,
      agent,
      model,
      parameters: parameters && readRequestParameters(parameters),
      locale,
      limits: { ...limits, tools },
      outputSchema: output && readOutputSchema(output.schema),
    });
  }
}
