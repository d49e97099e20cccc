/** DOOR 2, questions that wait for a person. */
import { Controller, Inject, Param } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { answerQuestion } from '../service/question/answer_question';
import type { ClarificationService } from '../service/question/clarification_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { RunService } from '../service/run/run_service';
import type { ServiceSettings } from '../service/service_settings';
import { createDecoder, decodeId } from '../wire/decode';
import { toWireClarification } from '../wire/wire_records';
import { bodyOf, encodePage, pageOf, tenantOf } from './http_request';
import { done, page, Serve } from './route';
import { AnswerRequest, QuestionsQuery } from './schemas/question_schemas';

const decodeAnswer = createDecoder(AnswerRequest);
const decodeQuery = createDecoder(QuestionsQuery);

@Controller('/api/v1/clarifications')
export class ClarificationsController {
  @Inject()
  ctx!: Context;
  @Inject()
  clarificationService!: ClarificationService;
  @Inject()
  agentExecutor!: AgentExecutor;
  @Inject()
  runService!: RunService;
  @Inject()
  serviceSettings!: ServiceSettings;

  @Serve({
    method: 'get',
    path: '/',
    operationId: 'listClarifications',
    tag: 'questions',
    summary: { en: 'List questions, oldest first', 'zh-CN': '列出问题，最早的在前' },
    query: QuestionsQuery,
    answers: page('Question'),
  })
  async list() {
    const { status, sessionId, ...rest } = decodeQuery({ ...this.ctx.query });
    const filter = { ...(status && { status }), ...(sessionId && { sessionId }) };
    return encodePage(await this.clarificationService.list(tenantOf(this.ctx), filter, pageOf(rest)), toWireClarification);
  }

  @Serve({
    method: 'post',
    path: '/:requestId',
    operationId: 'answerClarification',
    tag: 'questions',
    summary: { en: 'Answer a question', 'zh-CN': '回答一个问题' },
    description: {
      en: 'The first answer wins; later ones get 409 clarification_closed with the winning answer.',
      'zh-CN': '第一个回答有效；之后的得到 409 clarification_closed 和已生效的回答。',
    },
    body: AnswerRequest,
    answers: done('Answered'),
    errors: ['clarification_closed'],
  })
  async answer(@Param('requestId') id: string) {
    const { answer } = decodeAnswer(bodyOf(this.ctx));
    const parts = { executor: this.agentExecutor, clarifications: this.clarificationService, runs: this.runService };
    const requestId = decodeId(id);
    const followUp = await answerQuestion(parts, {
      tenantId: tenantOf(this.ctx),
      requestId,
      answer,
      door: 'rest',
      interaction: { clarify: 'text', clarifyTimeoutMs: this.serviceSettings.clarify.declaredTimeoutMs },
    });
    this.ctx.status = 200;
    return { requestId, status: 'answered', ...(followUp && { runId: followUp.id, sessionId: followUp.sessionId }) };
  }
}
