/** Learned rules: proposes approval rules from what people decided, and writes them into approvals.yaml after the yes of an admin. */
import type { Feature } from '../../feature';
import { LearnedRules, type LearnedRulesServices } from './learned_rules';
import { RuleProposalsController } from './routes';
import { learnedRuleStore } from './store/learned_rule_store';
import { toWireDecision } from './wire_proposal';

export const learnedRules: Feature = {
  name: 'learned_rules',
  routes: [RuleProposalsController],
  store: learnedRuleStore,
  install({ ports: { store, clock, configEditor }, auditLog, approvalPolicies, sessionAccess, tools }) {
    const findTool = (name: string) => tools.get(name);
    return {
      services: {
        learnedRules: new LearnedRules({ store, clock, configEditor, auditLog, approvalPolicies, sessionAccess, findTool }),
      } satisfies LearnedRulesServices,
      async *exportData(read, tenantId) {
        for (const record of await read.learnedRules.listDecisions(tenantId))
          yield { type: 'feature', name: 'rule_decision', data: toWireDecision(record) };
      },
    };
  },
};
