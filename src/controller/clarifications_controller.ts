/** DOOR 2, questions that wait for an answer. */
import { Controller, Param } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { ImageService } from '../service/image/image_service';
import type { AnswerService } from '../service/question/answer_service';
import type { QuestionAccess } from '../service/question/question_access';
import type { QuestionService } from '../service/question/question_service';
import type { ServiceSettings } from '../service/service_settings';
import { decodeId } from '../wire/decode';
import { toWireClarification } from '../wire/wire_records';
import { bodyOf, principalOf, tenantOf } from './http_request';
import { listQuestionsOf } from './question_lists';
import { ATTACHMENTS, done, page, RestController, routesWith, START_ERRORS } from './route';
import { AnswerRequest, QuestionsQuery } from './schemas/question_schemas';

const { Get, Post } = routesWith({ scope: 'chat', tag: 'questions' });

@Controller('/api/v1/clarifications')
export class ClarificationsController extends RestController {
  @InjectService() questionService!: QuestionService;
  @InjectService() questionAccess!: QuestionAccess;
  @InjectService() answerService!: AnswerService;
  @InjectService() imageService!: ImageService;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/', 'listClarifications', {
    guests: 'session',
    summary: { en: 'List questions, oldest first', 'zh-CN': '列出问题，最早的在前' },
    query: QuestionsQuery,
    answers: page('Question'),
  })
  async list() {
    return listQuestionsOf(this, 'clarification', toWireClarification);
  }

  @Post('/:requestId', 'answerClarification', {
    guests: 'anywhere',
    summary: { en: 'Answer a question', 'zh-CN': '回答一个问题' },
    description: {
      en: 'The first answer wins; later ones get 409 clarification_closed with the winning answer.',
      'zh-CN': '第一个回答有效；之后的得到 409 clarification_closed 和已生效的回答。',
    },
    session: 'question',
    body: AnswerRequest,
    longField: 'answer',
    imagesIn: ATTACHMENTS,
    answers: done('Answered'),
    errors: ['clarification_closed', ...START_ERRORS],
  })
  async answer(@Param('requestId') id: string) {
    const tenantId = tenantOf(this.ctx);
    const { answer, images, files } = bodyOf(this.ctx, AnswerRequest);
    const requestId = decodeId(id);
    const followUp = await this.answerService.answerClarification({
      tenantId,
      keyName: principalOf(this.ctx).keyName,
      requestId,
      answer,
      ...(await this.imageService.readAttachments(tenantId, { images, files })),
      door: 'rest',
      interaction: { clarify: 'text', clarifyTimeoutMs: this.serviceSettings.clarify.declaredTimeoutMs },
    });
    this.ctx.status = 200;
    return { requestId, status: 'answered', runId: followUp?.id, sessionId: followUp?.sessionId };
  }
}
