/** DOOR 2, tool calls that wait for approval. */
import { Controller, Param } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { ApprovalService } from '../service/question/approval_service';
import { decideTogether } from '../service/question/bulk_decisions';
import type { QuestionAccess } from '../service/question/question_access';
import type { QuestionService } from '../service/question/question_service';
import { decodeId } from '../wire/decode';
import { toWireApproval, toWireBulkResult, toWireDecision } from '../wire/wire_records';
import { bodyOf, principalOf } from './http_request';
import { listQuestionsOf } from './question_lists';
import { done, page, RestController, routesWith } from './route';
import { BulkDecisionRequest, DecisionRequest, QuestionsQuery } from './schemas/question_schemas';

const { Get, Post } = routesWith({ tag: 'questions' });

@Controller('/api/v1/approvals')
export class ApprovalsController extends RestController {
  @InjectService() approvalService!: ApprovalService;
  @InjectService() questionService!: QuestionService;
  @InjectService() questionAccess!: QuestionAccess;

  @Get('/', 'listApprovals', {
    scope: ['chat:read', 'approve'],
    summary: { en: 'List tool calls that need approval, oldest first', 'zh-CN': '列出需要批准的工具调用，最早的在前' },
    description: {
      en: 'At most 20 rows a page, whatever the limit: each holds whole arguments.',
      'zh-CN': '每页最多 20 行，无论 limit 是多少：每行都含完整的参数。',
    },
    query: QuestionsQuery,
    answers: page('Approval'),
  })
  async list() {
    return listQuestionsOf(this, 'approval', toWireApproval);
  }

  @Post('/decide', 'decideApprovals', {
    scope: 'approve',
    summary: { en: 'Decide several approvals', 'zh-CN': '一次决定多项审批' },
    description: {
      en: 'Answers for each approval by itself. A risky call is never allowed in bulk: risk destructive or outside, with taint, or one whose rule asks for colleagues gets the error risky_in_bulk. Denying takes any.',
      'zh-CN':
        '对每项审批分别给出结果。有风险的调用不能批量批准：risk 为 destructive 或 outside、带有 taint，或规则要求同事批准的调用会得到错误 risky_in_bulk。拒绝不受此限制。',
    },
    body: BulkDecisionRequest,
    answers: done('BulkDecided'),
  })
  async decideMany() {
    const results = await decideTogether(this, principalOf(this.ctx), bodyOf(this.ctx, BulkDecisionRequest));
    this.ctx.status = 200;
    return { data: results.map(toWireBulkResult) };
  }

  @Post('/:requestId', 'decideApproval', {
    scope: 'approve',
    summary: { en: 'Allow or deny a tool call', 'zh-CN': '允许或拒绝一次工具调用' },
    description: {
      en: 'The first decision wins; later ones get 409 clarification_closed with it. Where a rule asks for several people, a yes that is not the last one answers status pending, and one no decides. It counts for exactly the arguments that were asked about, or for those given with it.',
      'zh-CN':
        '第一个决定有效；之后的得到 409 clarification_closed 和该决定。规则要求多人时，不是最后一个的同意会得到 status pending，一个拒绝即可作出决定。决定只对所询问的参数有效，或对随决定给出的参数有效。',
    },
    session: 'question',
    body: DecisionRequest,
    answers: done('Decided'),
    errors: ['clarification_closed', 'approval_by_requester', 'approval_given'],
  })
  async decide(@Param('requestId') id: string) {
    const answer = bodyOf(this.ctx, DecisionRequest);
    const requestId = decodeId(id);
    const decided = await this.approvalService.decideApproval(principalOf(this.ctx), requestId, answer);
    this.ctx.status = 200;
    return toWireDecision(requestId, decided);
  }
}
