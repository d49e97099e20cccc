/** DOOR 2, feedback: people rate answers, and operators read the ratings. */

import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, pageOf, principalOf, queryOf, sinceOf, tenantOf } from '../../controller/http_request';
import { listOrPage } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { InjectService } from '../../inject_service';
import { hasScope } from '../../port/principal';
import type { SessionAccess } from '../../service/access/session_access';
import { visibleTenant } from '../../service/auth/visible_tenant';
import { decodeId } from '../../wire/decode';
import type { FeedbackService, FeedbackServices } from './feedback_service';
import {
  Feedback,
  FeedbackQuery,
  FeedbackRequest,
  OpsFeedback,
  OpsFeedbackCount,
  OpsFeedbackCountsQuery,
  OpsFeedbackQuery,
} from './schemas';
import type { FeedbackFilter, FeedbackRecord } from './store/feedback_records';
import { toWireFeedback } from './wire_feedback';

const TAG = {
  name: 'feedback',
  description: { en: 'How people rate answers.', 'zh-CN': '人们对回答的评价。' },
};
const FEEDBACK = named('Feedback', Feedback);

const { Get, Put, Delete } = routesWith({ scope: 'chat', tag: TAG });
const { Get: OpsGet } = routesWith({ scope: 'ops:read', tag: 'ops' });

@Controller('/api/v1')
export class FeedbackController extends RestController {
  @InjectService<FeedbackServices>() feedbackService!: FeedbackService;
  @InjectService() sessionAccess!: SessionAccess;

  @Put('/runs/:id/feedback', 'rateRun', {
    summary: { en: 'Rate the answer of a run', 'zh-CN': '评价一个运行的回答' },
    description: {
      en: 'A run has one rating of each key; another one takes its place.',
      'zh-CN': '每个密钥对一个运行只有一个评价；新的评价会替换原有的。',
    },
    session: 'look',
    body: FeedbackRequest,
    longField: 'text',
    answers: done(FEEDBACK),
    errors: ['store_unavailable'],
  })
  async rate(@Param('id') id: string) {
    const input = bodyOf(this.ctx, FeedbackRequest);
    return toWireFeedback(await this.feedbackService.rateRun(principalOf(this.ctx), decodeId(id), input));
  }

  @Delete('/runs/:id/feedback', 'takeBackRating', {
    summary: { en: 'Take your rating of a run back', 'zh-CN': '收回对一个运行的评价' },
    session: 'look',
    answers: { 204: { description: { en: 'The rating is deleted', 'zh-CN': '评价已删除' } } },
    errors: ['store_unavailable'],
  })
  async takeBack(@Param('id') id: string) {
    await this.feedbackService.takeBackRating(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Get('/feedback', 'listFeedback', {
    summary: { en: 'List the ratings of your tenant, latest first', 'zh-CN': '列出本租户的评价，最新的在前' },
    query: FeedbackQuery,
    answers: page(FEEDBACK),
  })
  async list() {
    const { session, mine, ...query } = queryOf(this.ctx, FeedbackQuery);
    const keyName = mine === undefined ? undefined : principalOf(this.ctx).keyName;
    const filter = { ...filterOf(query), sessionId: session, keyName };
    const { data: all, ...page } = await this.feedbackService.listFeedback({ tenantId: tenantOf(this.ctx) }, filter, pageOf(query));
    const data = await this.sessionAccess.keepSeen(principalOf(this.ctx), all, ({ sessionId }) => sessionId);
    return encodePage({ data, ...page }, toWireFeedback);
  }
}

@Controller('/api/v1/ops/feedback')
export class OpsFeedbackController extends RestController {
  @InjectService<FeedbackServices>() feedbackService!: FeedbackService;

  @OpsGet('/', 'listOpsFeedback', {
    summary: { en: 'List the ratings of the tenants that you see, latest first', 'zh-CN': '列出所能查看的租户的评价，最新的在前' },
    description: {
      en: 'Sentences need the scope chat as well. The audit log of each other tenant whose sentences the answer holds records it with your key, once an hour.',
      'zh-CN': '评价的文字还需要 chat 权限。答复含有其他租户的文字时，该租户的审计日志会连同你的密钥记录此操作，每小时一次。',
    },
    query: OpsFeedbackQuery,
    answers: page(named('OpsFeedback', OpsFeedback)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async list() {
    const { tenant, ...query } = queryOf(this.ctx, OpsFeedbackQuery);
    const reader = principalOf(this.ctx);
    const scope = { tenantId: visibleTenant(reader, tenant) };
    const { feedbackService } = this;
    if (hasScope(reader, 'chat:read'))
      return encodePage(await feedbackService.listForOperator(reader, scope, filterOf(query), pageOf(query)), toOps);
    return encodePage(await feedbackService.listFeedback(scope, filterOf(query), pageOf(query)), row => toOps({ ...row, text: undefined }));
  }

  @OpsGet('/counts', 'countOpsFeedback', {
    summary: { en: 'Count the ratings by tenant, agent and model', 'zh-CN': '按租户、智能体和模型统计评价' },
    query: OpsFeedbackCountsQuery,
    answers: page(named('OpsFeedbackCount', OpsFeedbackCount)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async counts() {
    const { tenant, since, ...query } = queryOf(this.ctx, OpsFeedbackCountsQuery);
    const scope = { tenantId: visibleTenant(principalOf(this.ctx), tenant) };
    const counts = await this.feedbackService.countFeedback(scope, since === undefined ? undefined : sinceOf(since));
    return listOrPage(counts, query, ({ tenantId, agent, model }) => JSON.stringify([tenantId, agent, model]));
  }
}

type WrittenFilter = Pick<FeedbackFilter, 'rating' | 'agent' | 'model'> & { since?: string; until?: string };

function filterOf({ rating, agent, model, since, until }: WrittenFilter): FeedbackFilter {
  return {
    rating,
    agent,
    model,
    since: since === undefined ? undefined : sinceOf(since),
    until: until === undefined ? undefined : sinceOf(until, 'until'),
  };
}

const toOps = (record: FeedbackRecord) => ({ ...toWireFeedback(record), tenantId: record.tenantId });
