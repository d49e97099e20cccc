/** The owner that learned rules add to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { createLearnedRules } from './learned_rule_migration';
import { LearnedRuleTable } from './learned_rule_table';

export const learnedRuleStore: StorePart = {
  owners: { learnedRules: db => new LearnedRuleTable(db) },
  migrations: { learned_rules_112_decisions: { up: createLearnedRules } },
};
