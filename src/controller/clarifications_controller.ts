/** DOOR 2, questions that wait for a person. */
import { Controller, Get, Inject, Param, Post } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { Type } from '@sinclair/typebox';
import type { AgentExecutor } from '../service/agent_executor';
import { answerQuestion } from '../service/answer_question';
import type { ClarificationService } from '../service/clarification_service';
import type { RunService } from '../service/run_service';
import type { ServiceSettings } from '../service/service_settings';
import { createDecoder, decodeId, ID_PATTERN } from '../utils/decode';
import { NOT_BLANK } from '../utils/not_blank';
import { toWireClarification } from '../utils/wire_records';
import { bodyOf, encodePage, PAGE_QUERY, pageOf, tenantOf } from './http_request';

const closed = { additionalProperties: false };
const STATUSES = ['pending', 'answered', 'expired', 'cancelled'] as const;

export const AnswerRequest = Type.Object(
  { answer: Type.String({ maxLength: 20_000, pattern: NOT_BLANK, description: 'own words, or the number of a choice' }) },
  { ...closed, examples: [{ answer: 'Blue' }] },
);
export const ClarificationsQuery = Type.Object(
  {
    ...PAGE_QUERY,
    status: Type.Optional(Type.Union(STATUSES.map(status => Type.Literal(status)))),
    sessionId: Type.Optional(Type.String({ pattern: ID_PATTERN })),
  },
  closed,
);

const decodeAnswer = createDecoder(AnswerRequest);
const decodeQuery = createDecoder(ClarificationsQuery);

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

  @Get('/')
  async list() {
    const { status, sessionId, ...page } = decodeQuery({ ...this.ctx.query });
    const filter = { ...(status && { status }), ...(sessionId && { sessionId }) };
    return encodePage(await this.clarificationService.list(tenantOf(this.ctx), filter, pageOf(page)), toWireClarification);
  }

  @Post('/:requestId')
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
