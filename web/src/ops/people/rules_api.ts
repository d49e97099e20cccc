/** Approval rules that are proposed from decisions. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

export type RuleProposal = Answer<'RuleProposal'>;
export type RuleDecision = 'accept' | 'dismiss' | 'undo';

export const listProposals = async (): Promise<RuleProposal[]> =>
  (await callRest<{ data: RuleProposal[] }>('GET', '/rules/proposals')).data;

export const decideProposal = (id: string, decision: RuleDecision): Promise<RuleProposal> =>
  callRest('POST', `/rules/proposals/${encodeURIComponent(id)}`, { decision });
