/** DOOR 2, sessions and questions of people, for operators: to read, export, delete and answer on behalf. */

import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, pageOf, principalOf, queryOf, sendExport, sinceOf } from '../../../controller/http_request';
import { done, page, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { MessagesQuery } from '../../../controller/schemas/session_schemas';
import { AppError, invalidField } from '../../../errors';
import { InjectService } from '../../../inject_service';
import { hasScope, type NeededScope } from '../../../port/principal';
import type { PrivateTexts } from '../../../service/access/private_texts';
import type { TextReads } from '../../../service/audit/text_reads';
import type { AnswerService } from '../../../service/question/answer_service';
import type { ApprovalService } from '../../../service/question/approval_service';
import type { QuestionAccess } from '../../../service/question/question_access';
import type { QuestionService } from '../../../service/question/question_service';
import type { ServiceSettings } from '../../../service/service_settings';
import type { MessageSearcher } from '../../../service/session/message_searcher';
import type { SessionService } from '../../../service/session/session_service';
import type { Slot } from '../../../utils/slot';
import { decodeId } from '../../../wire/decode';
import { toWireApproval, toWireClarification, toWireDecision, toWireMessage } from '../../../wire/wire_records';
import { OpsAnswered, OpsAnswerRequest, OpsQuestion, OpsSessions, OpsSessionsQuery } from '../schemas/data_schemas';
import { type OpsView, viewOf } from '../shared/ops_view';
import type { OpsSessionsFilter } from '../views/session_list';
import type { OpsServices } from './ops_services';

const TEXTS = {
  en: 'Titles and texts need the scope chat as well.',
  'zh-CN': '标题和文本还需要 chat 权限。',
};

const { Get, Post, Delete } = routesWith({ tag: 'ops' });

@Controller('/api/v1/ops')
export class OpsDataController extends RestController {
  @InjectService<OpsServices>() opsSessions!: OpsServices['opsSessions'];
  @InjectService() textReads!: TextReads;
  @InjectService() privateTexts!: PrivateTexts;
  @InjectService() sessionService!: SessionService;
  @InjectService() messageSearch!: Slot<MessageSearcher>;
  @InjectService() questionService!: QuestionService;
  @InjectService() answerService!: AnswerService;
  @InjectService() approvalService!: ApprovalService;
  @InjectService() questionAccess!: QuestionAccess;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/sessions', 'listOpsSessions', {
    scope: 'ops:read',
    summary: { en: 'List sessions with their size and their last run', 'zh-CN': '列出会话及其大小和最后一次运行' },
    description: {
      en: `Most recently changed first. q searches the titles and messages of one tenant, yours unless tenant names another: first titles that hold every word, then messages, the best match first. A page may be shorter than the limit and still have a cursor. ${TEXTS.en} The audit log of each other tenant whose titles the answer holds records it with your key, once an hour.`,
      'zh-CN': `最近更改的在前。q 搜索一个租户（默认为自己的租户，可用 tenant 指定）的标题和消息：先是含有所有词的标题，然后是消息，最匹配的在前。一页可能少于 limit 行但仍有游标。${TEXTS['zh-CN']}答复含有其他租户的标题时，该租户的审计日志会连同你的密钥记录此操作，每小时一次。`,
    },
    query: OpsSessionsQuery,
    answers: done(named('OpsSessions', OpsSessions)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async sessions() {
    const { tenant, agent, status, since, origin, q, ...page } = queryOf(this.ctx, OpsSessionsQuery);
    const filter: OpsSessionsFilter = {
      agent,
      status,
      since: since === undefined ? undefined : sinceOf(since),
      originDoor: origin === undefined ? undefined : 'openai',
    };
    const request = { filter, page: pageOf(page) };
    const mayReadTexts = hasScope(principalOf(this.ctx), 'chat:read');
    if (q !== undefined) this.assertScope('chat:read', '/q');
    const view = viewOf(principalOf(this.ctx), tenant);
    const searched = { query: q ?? '', search: this.messageSearch.current };
    const answer =
      q === undefined
        ? await this.opsSessions.list(view, { ...request, mayReadTexts })
        : await this.opsSessions.search(view.tenantId ?? principalOf(this.ctx).tenantId, searched, request);
    const data = await this.privateTexts.hideTexts(principalOf(this.ctx), answer.data, row => row, withoutText);
    const tenants = data.filter(({ title }) => title !== undefined).map(({ tenantId }) => tenantId);
    await this.textReads.recordList(principalOf(this.ctx), 'sessions', tenants);
    return {
      ...answer,
      data: q === undefined ? data : data.filter(({ title }) => title !== undefined),
      hasMore: answer.nextCursor !== undefined,
    };
  }

  @Get('/sessions/:id/messages', 'listOpsMessages', {
    scope: 'ops:read',
    summary: { en: 'Read the messages of a session of any tenant that you see', 'zh-CN': '读取所能查看的租户的会话消息' },
    description: {
      en: 'Needs the scope chat as well. For a session of another tenant, the audit log of that tenant records it with your key, once an hour.',
      'zh-CN': '还需要 chat 权限。会话属于其他租户时，该租户的审计日志会连同你的密钥记录此操作，每小时一次。',
    },
    query: MessagesQuery,
    answers: page('Message'),
    errors: ['forbidden', 'store_unavailable'],
  })
  async messages(@Param('id') id: string) {
    this.assertScope('chat:read', '/id');
    const query = queryOf(this.ctx, MessagesQuery);
    const sessionId = decodeId(id);
    const tenantId = await this.opsSessions.tenantOf(this.view, 'session', sessionId);
    await this.privateTexts.assertReadable(principalOf(this.ctx), { tenantId, sessionId });
    const messages = await this.sessionService.listMessages(tenantId, sessionId, pageOf(query), query.order);
    await this.textReads.record(principalOf(this.ctx), { tenantId, kind: 'session', id: sessionId });
    return encodePage(messages, toWireMessage);
  }

  @Get('/sessions/:id/export', 'exportOpsSession', {
    scope: 'ops:read',
    summary: { en: 'Download a session as JSON lines, for a privacy request', 'zh-CN': '为隐私请求以 JSON 行的形式下载一个会话' },
    description: {
      en: 'Needs the scope chat as well. The audit log of the tenant records it with your key.',
      'zh-CN': '还需要 chat 权限。该租户的审计日志会连同你的密钥记录此操作。',
    },
    answers: { 200: { description: { en: 'One thing a line', 'zh-CN': '每行一项' }, lines: 'ExportedItem' } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async exportSession(@Param('id') id: string) {
    this.assertScope('chat:read', '/id');
    const sessionId = decodeId(id);
    const tenantId = await this.opsSessions.tenantOf(this.view, 'session', sessionId);
    await this.privateTexts.assertReadable(principalOf(this.ctx), { tenantId, sessionId });
    return sendExport(this.ctx, sessionId, await this.sessionService.exportSession({ ...this.actor, tenantId }, sessionId));
  }

  @Delete('/sessions/:id', 'deleteOpsSession', {
    scope: 'ops:write',
    summary: { en: 'Delete a session with all that belongs to it, for a privacy request', 'zh-CN': '为隐私请求删除会话及其全部内容' },
    description: {
      en: 'Its runs are cancelled first. The audit log of the tenant records it with your key.',
      'zh-CN': '会先取消它的运行。该租户的审计日志会连同你的密钥记录此操作。',
    },
    answers: { 204: { description: { en: 'It is deleted', 'zh-CN': '已删除' } } },
    errors: ['store_unavailable'],
  })
  async deleteSession(@Param('id') id: string) {
    const sessionId = decodeId(id);
    const tenantId = await this.opsSessions.tenantOf(this.view, 'session', sessionId);
    await this.sessionService.deleteSession({ ...this.actor, tenantId }, sessionId);
    this.ctx.status = 204;
  }

  @Get('/people/:requestId', 'getOpsQuestion', {
    scope: 'ops:read',
    summary: { en: 'Read a question or an approval of any tenant that you see', 'zh-CN': '读取所能查看的租户的问题或审批' },
    description: {
      en: 'A question needs the scope chat as well, an approval chat or approve. For a question of another tenant, the audit log of that tenant records it with your key, once an hour.',
      'zh-CN':
        '问题还需要 chat 权限，审批还需要 chat 或 approve 权限。问题属于其他租户时，该租户的审计日志会连同你的密钥记录此操作，每小时一次。',
    },
    answers: done(named('OpsQuestion', OpsQuestion)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async question(@Param('requestId') id: string) {
    const requestId = decodeId(id);
    const question = await this.findQuestion(requestId);
    const { tenantId, kind } = question;
    this.assertScope(kind === 'approval' ? ['chat:read', 'approve'] : 'chat:read', '/requestId');
    await this.textReads.record(principalOf(this.ctx), { tenantId, kind: 'question', id: requestId });
    return {
      tenantId,
      kind,
      approval: kind === 'approval' ? toWireApproval(question) : undefined,
      question: kind === 'approval' ? undefined : toWireClarification(question),
    };
  }

  @Post('/people/:requestId', 'answerOpsQuestion', {
    scope: 'ops:write',
    summary: { en: 'Answer a question or decide an approval on behalf', 'zh-CN': '代为回答问题或作出审批决定' },
    description: {
      en: 'answer for a question, which needs the scope chat as well; decision for an approval, which needs approve. The audit log of the tenant records it with your key.',
      'zh-CN': '回答问题用 answer，还需要 chat 权限；审批用 decision，还需要 approve 权限。该租户的审计日志会连同你的密钥记录此操作。',
    },
    body: OpsAnswerRequest,
    answers: done(named('OpsAnswered', OpsAnswered)),
    errors: ['forbidden', 'clarification_closed', 'approval_by_requester', 'approval_given'],
  })
  async answer(@Param('requestId') id: string) {
    const { answer, decision } = bodyOf(this.ctx, OpsAnswerRequest);
    const requestId = decodeId(id);
    const { kind, tenantId } = await this.findQuestion(requestId);
    this.assertScope(kind === 'approval' ? 'approve' : 'chat', '/requestId');
    this.ctx.status = 200;
    const { keyName, tenantId: homeTenantId } = principalOf(this.ctx);
    const asker = { tenantId, keyName, homeTenantId };
    if (kind === 'approval') {
      if (decision === undefined) throw missing('decision');
      return toWireDecision(requestId, await this.approvalService.decideApproval(asker, requestId, decision));
    }
    if (answer === undefined) throw missing('answer');
    const interaction = { clarify: 'text' as const, clarifyTimeoutMs: this.serviceSettings.clarify.declaredTimeoutMs };
    const followUp = await this.answerService.answerClarification({ ...asker, requestId, answer, door: 'rest', interaction });
    return { requestId, status: 'answered', runId: followUp?.id, sessionId: followUp?.sessionId };
  }

  private async findQuestion(requestId: string) {
    const tenantId = await this.opsSessions.tenantOf(this.view, 'question', requestId);
    const question = await this.questionService.findQuestion({ tenantId }, requestId);
    const reader = principalOf(this.ctx);
    if (!this.questionAccess.isAsked(reader, question)) await this.privateTexts.assertReadable(reader, question);
    return question;
  }

  private get actor() {
    return { keyName: principalOf(this.ctx).keyName };
  }

  /** Throws `forbidden` with the field `param`, which needs more than the scope of the route. */
  private assertScope(needed: NeededScope, param: string): void {
    if (hasScope(principalOf(this.ctx), needed)) return;
    const names = [needed].flat().join(' or ');
    throw new AppError('forbidden', {
      param,
      message: `${param}: texts of people are for keys with the scope ${names} as well.`,
      messageZh: `${param}：人的文本还需要 ${[needed].flat().join(' 或 ')} 权限。`,
    });
  }

  private get view(): OpsView {
    return viewOf(principalOf(this.ctx));
  }
}

const withoutText = (row: OpsSessions['data'][number]): OpsSessions['data'][number] => ({ ...row, title: undefined, snippet: undefined });

const missing = (field: string): AppError => invalidField(`/${field}`, 'is required.', '必填。');
