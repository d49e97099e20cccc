/** Encodes proposals of rules: ISO times, no tenant. */
import { toIsoTime } from '../../utils/iso_time';
import type { Proposal } from './learned_rules';
import type { LearnedRuleRecord } from './store/learned_rule_records';

export function toWireProposal({ decidedAt, simulation, ...proposal }: Proposal) {
  const examples = simulation.examples.map(({ at, ...example }) => ({ ...example, at: toIsoTime(at) }));
  return {
    ...proposal,
    decidedAt: decidedAt === undefined ? undefined : toIsoTime(decidedAt),
    simulation: { ...simulation, examples },
  };
}

export const toWireDecision = ({ tenantId: _, decidedAt, ...record }: LearnedRuleRecord) => ({
  ...record,
  decidedAt: toIsoTime(decidedAt),
});
