/** DOOR 2, learned rules: admins look at proposed approval rules and decide about them. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, principalOf, queryOf } from '../../controller/http_request';
import { listOrPage } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { ListQuery } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { decodeId } from '../../wire/decode';
import type { LearnedRules, LearnedRulesServices } from './learned_rules';
import { RuleDecisionRequest, RuleProposal } from './schemas';
import { toWireProposal } from './wire_proposal';

const TAG = {
  name: 'rules',
  description: {
    en: 'Approval rules that follow from what people have decided.',
    'zh-CN': '根据人们的决定得出的审批规则。',
  },
};
const PROPOSAL = named('RuleProposal', RuleProposal);

const { Get, Post } = routesWith({ scope: 'admin', tag: TAG });

@Controller('/api/v1/rules/proposals')
export class RuleProposalsController extends RestController {
  @InjectService<LearnedRulesServices>() learnedRules!: LearnedRules;

  @Get('/', 'listRuleProposals', {
    summary: { en: 'List proposed approval rules of your tenant', 'zh-CN': '列出本租户的审批规则建议' },
    description: {
      en: 'A rule is proposed when people have allowed the same kind of call at least five times in 90 days and never denied it. Only calls of sessions that you see count. Risky calls are never proposed. Each row has been tried on the past calls of its tool. 409 config_changed when the rules of your tenant use YAML aliases, so that no rule can be added to them alone.',
      'zh-CN':
        '若 90 天内人们至少五次批准了同一类调用且从未拒绝，就会提出规则建议。只计你能查看的会话中的调用。有风险的调用不会被建议。每条建议都已用该工具过去的调用进行了模拟。本租户的规则使用了 YAML 别名、无法单独添加规则时，返回 409 config_changed。',
    },
    query: ListQuery,
    answers: page(PROPOSAL),
    errors: ['config_changed', 'store_unavailable'],
  })
  async list() {
    const query = queryOf(this.ctx, ListQuery);
    const proposals = await this.learnedRules.listProposals(principalOf(this.ctx));
    return encodePage(
      listOrPage(proposals, query, ({ id }) => id),
      toWireProposal,
    );
  }

  @Post('/:id', 'decideRuleProposal', {
    summary: { en: 'Accept, dismiss or take back a proposed rule', 'zh-CN': '接受、忽略或撤回一条规则建议' },
    description: {
      en: 'An accepted rule stands in the part of your tenant in approvals.yaml and counts within a second. 409 config_changed when the file was changed in the meantime, or no longer has the rule to take back.',
      'zh-CN':
        '接受的规则写入 approvals.yaml 中本租户的部分，一秒内生效。文件在此期间已被修改，或其中已没有要撤回的规则时，返回 409 config_changed。',
    },
    body: RuleDecisionRequest,
    answers: done(PROPOSAL),
    errors: ['forbidden', 'config_changed', 'store_unavailable'],
  })
  async decide(@Param('id') id: string) {
    const { decision } = bodyOf(this.ctx, RuleDecisionRequest);
    const proposal = await this.learnedRules.decide(principalOf(this.ctx), decodeId(id), decision);
    this.ctx.status = 200;
    return toWireProposal(proposal);
  }
}
