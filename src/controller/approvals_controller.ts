/** DOOR 2, tool calls that wait for a person's yes. */
import { Controller, Get, Inject, Param, Post } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { Type } from '@sinclair/typebox';
import { ApprovalAnswer } from '../port/run_event';
import type { ApprovalService } from '../service/approval_service';
import { createDecoder, decodeId } from '../utils/decode';
import { toWireApproval } from '../utils/wire_records';
import { ClarificationsQuery } from './clarifications_controller';
import { bodyOf, encodePage, pageOf, tenantOf } from './http_request';

export const DecisionRequest = Type.Object(ApprovalAnswer.properties, {
  additionalProperties: false,
  examples: [{ decision: 'allow_once' }],
});

const decodeDecision = createDecoder(DecisionRequest);
const decodeQuery = createDecoder(ClarificationsQuery);

@Controller('/api/v1/approvals')
export class ApprovalsController {
  @Inject()
  ctx!: Context;
  @Inject()
  approvalService!: ApprovalService;

  @Get('/')
  async list() {
    const { status, sessionId, ...page } = decodeQuery({ ...this.ctx.query });
    const filter = { ...(status && { status }), ...(sessionId && { sessionId }) };
    return encodePage(await this.approvalService.list(tenantOf(this.ctx), filter, pageOf(page)), toWireApproval);
  }

  @Post('/:requestId')
  async decide(@Param('requestId') id: string) {
    const answer = decodeDecision(bodyOf(this.ctx));
    const requestId = decodeId(id);
    const { decision } = await this.approvalService.decide({ tenantId: tenantOf(this.ctx) }, requestId, answer);
    this.ctx.status = 200;
    return { requestId, status: 'answered', decision };
  }
}
