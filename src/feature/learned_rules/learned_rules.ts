/** Rules learned from decisions: proposes them, shows what they would change, and writes them into approvals.yaml after the yes of an admin. */
import { AppError } from '../../errors';
import { asksColleagues } from '../../port/approval_review';
import type { Clock } from '../../port/clock';
import type { ConfigEditor, ConfigText } from '../../port/config_files';
import { isOperator, type Principal } from '../../port/principal';
import type { Store } from '../../port/store/store';
import { type ApprovalPolicies, type ApprovalSettings, DEFAULT_DECISIONS, matchesRule } from '../../runtime/approval/approval_policy';
import type { SessionAccess } from '../../service/access/session_access';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { assertUnchanged, writeConfigFile } from '../../service/config_file_write';
import { APPROVALS_FILE, toApprovalSettings } from '../../service/question/approval_rules';
import type { AgentTool } from '../../tools/common';
import { shortDiff } from '../../tools/short_diff';
import { fingerprintOf } from '../../utils/fingerprint';
import { KeyedLock } from '../../utils/keyed_lock';
import { readDecidedCalls } from './decided_calls';
import { type Candidate, proposeRules } from './propose_rules';
import { withoutRule, withRule, yamlPartOf } from './rule_file';
import { readPastCalls, type Simulation, simulate } from './simulate_rule';
import type { LearnedRuleRecord, ProposedRule, RuleState } from './store/learned_rule_records';

export interface LearnedRulesDeps {
  store: Store;
  clock: Clock;
  configEditor: ConfigEditor;
  auditLog: AuditRecorder;
  approvalPolicies: ApprovalPolicies;
  sessionAccess: Pick<SessionAccess, 'maySee'>;
  findTool: (name: string) => AgentTool | undefined;
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface LearnedRulesServices {
  learnedRules: LearnedRules;
}

/** `open`: nobody has decided. */
export type ProposalState = 'open' | RuleState;

export interface Proposal {
  id: string;
  rule: ProposedRule;
  state: ProposalState;
  /** The number of calls that people have allowed. */
  basedOn: number;
  decidedBy?: string;
  decidedAt?: number;
  simulation: Simulation;
  /** Unified diff of approvals.yaml; whoever is no operator gets that of the tenant's part. */
  diff: string;
}

/** A proposal before it is simulated. */
interface Draft {
  id: string;
  rule: ProposedRule;
  state: ProposalState;
  basedOn: number;
  record?: LearnedRuleRecord;
  before: string | undefined;
  after: string | undefined;
}

export type RuleDecision = 'accept' | 'dismiss' | 'undo';

const STATE_AFTER = { accept: 'accepted', dismiss: 'dismissed', undo: 'undone' } as const;
/** Decisions and calls of this time count. */
const COUNTED_MS = 90 * 86_400_000;
const MAX_PROPOSALS = 50;

export class LearnedRules {
  private readonly lock = new KeyedLock();

  constructor(private readonly deps: LearnedRulesDeps) {}

  /** Lists what the caller may decide: accepted rules first, then open proposals, then those that were dismissed or taken back. */
  async listProposals(caller: Principal): Promise<Proposal[]> {
    const file = await this.deps.configEditor.readText(APPROVALS_FILE);
    const drafts = await this.draftsFor(caller, file);
    const proposals: Proposal[] = [];
    for (const draft of drafts.slice(0, MAX_PROPOSALS)) proposals.push(await this.toProposal(caller, draft));
    return proposals;
  }

  /**
   * Decides about a proposal. Resolves with it as it stands afterwards. Rejects `not_found`, `config_changed` when the file was changed in the meantime or
   * the rule to take back is no longer in it, and `forbidden` for a directory that is read-only.
   */
  decide(caller: Principal, id: string, decision: RuleDecision): Promise<Proposal> {
    return this.lock.run(APPROVALS_FILE, async () => {
      const file = await this.deps.configEditor.readText(APPROVALS_FILE);
      const draft = (await this.draftsFor(caller, file)).find(row => row.id === id);
      if (!draft || (decision === 'undo') !== (draft.state === 'accepted')) throw await this.refusalOf(caller, id, { decision, draft });
      const proposal = await this.toProposal(caller, draft);
      const after = decision === 'undo' ? draft.before : draft.after;
      if (decision !== 'dismiss') await this.assertPossible(after, file);
      if (decision === 'undo') await this.write(caller, after, file);
      const record = await this.record(caller, draft, decision);
      if (decision === 'accept') await this.write(caller, after, file);
      return { ...proposal, state: record.state, decidedBy: record.decidedBy, decidedAt: record.decidedAt };
    });
  }

  private async draftsFor(caller: Principal, file: ConfigText | undefined): Promise<Draft[]> {
    const { store, clock, approvalPolicies, findTool } = this.deps;
    const { tenantId } = caller;
    const settings = this.settingsOf(file?.text);
    const records = new Map((await store.read.learnedRules.listDecisions(tenantId)).map(record => [record.id, record]));
    const accepted = [...records.values()].flatMap(record => this.acceptedDraft(record, file?.text));
    const decided = await readDecidedCalls(this.deps, caller, clock.now() - COUNTED_MS);
    const policy = approvalPolicies.policyWith(settings, tenantId);
    const others: Draft[] = [];
    let open = 0;
    for await (const candidate of proposeRules(decided, { findTool, policy })) {
      const [draft] = this.newDraft(tenantId, candidate, { file, settings });
      if (!draft || accepted.some(({ id }) => id === draft.id)) continue;
      const record = records.get(draft.id);
      // An accepted rule that is not in the file was taken out there, or never written.
      const isOpen = !record || record.state === 'accepted';
      others.push(isOpen ? draft : { ...draft, record, state: record.state });
      open += Number(isOpen);
      if (open === MAX_PROPOSALS) break;
    }
    // Sorting is stable: of each kind, the rules with the most calls stay first.
    others.sort((a, b) => Number(a.state !== 'open') - Number(b.state !== 'open'));
    return [...accepted, ...others];
  }

  private acceptedDraft(record: LearnedRuleRecord, text: string | undefined): Draft[] {
    const { tenantId, id, rule, state, basedOn } = record;
    const before = rule && state === 'accepted' ? withoutRule(text, tenantId, rule) : undefined;
    return rule && before !== undefined ? [{ id, rule, state, basedOn, record, before, after: text }] : [];
  }

  /** Returns nothing when the file would not allow the calls with the rule in it. */
  private newDraft(
    tenantId: string,
    { rule, calls }: Candidate,
    { file, settings }: { file: ConfigText | undefined; settings: ApprovalSettings },
  ): Draft[] {
    const tool = this.deps.findTool(rule.tool);
    const index = tool && findInsertIndex(settings.tenants?.get(tenantId) ?? [], { tool, calls });
    if (!tool || index === undefined) return [];
    const after = withRule(file?.text, tenantId, rule, index);
    const policy = this.deps.approvalPolicies.policyWith(this.settingsOf(after), tenantId);
    const isAllowed = calls.every(({ approval: { args } }) => policy.judge({ tool, args }).decision === 'allow');
    const draft: Draft = { id: idOf(tenantId, rule), rule, state: 'open', basedOn: calls.length, before: file?.text, after };
    return isAllowed ? [draft] : [];
  }

  private async toProposal(caller: Principal, { id, rule, state, basedOn, record, before, after }: Draft): Promise<Proposal> {
    const { clock, approvalPolicies, findTool } = this.deps;
    const { tenantId } = caller;
    const tool = findTool(rule.tool);
    const since = clock.now() - COUNTED_MS;
    const calls = tool ? await readPastCalls(this.deps, tenantId, { tool: rule.tool, since }) : [];
    const policyOf = (text: string | undefined) => approvalPolicies.policyWith(this.settingsOf(text), tenantId);
    const simulation = tool
      ? await simulate(this.deps, caller, { tool, calls, before: policyOf(before), after: policyOf(after) })
      : { allowed: 0, asked: 0, denied: 0, examples: [] };
    const shown = (text: string | undefined) => (isOperator(caller) ? (text ?? '') : yamlPartOf(text, tenantId));
    const diff = shortDiff(APPROVALS_FILE, shown(before), shown(after)).text;
    return { id, rule, state, basedOn, decidedBy: record?.decidedBy, decidedAt: record?.decidedAt, simulation, diff };
  }

  private settingsOf(text: string | undefined): ApprovalSettings {
    if (text === undefined) return { rules: [], defaults: DEFAULT_DECISIONS };
    try {
      return toApprovalSettings(this.deps.configEditor.parse(APPROVALS_FILE, text));
    } catch (thrown) {
      throw brokenFile(thrown);
    }
  }

  /** Returns why the decision is not possible. */
  private async refusalOf(
    { tenantId }: Principal,
    id: string,
    { decision, draft }: { decision: RuleDecision; draft: Draft | undefined },
  ): Promise<AppError> {
    const record = (await this.deps.store.read.learnedRules.listDecisions(tenantId)).find(row => row.id === id);
    if (decision === 'undo' && record?.state === 'accepted') return ruleIsGone();
    return draft ? wrongState(draft.state) : noProposal();
  }

  private async record(caller: Principal, { id, rule, basedOn }: Draft, decision: RuleDecision): Promise<LearnedRuleRecord> {
    const { store, clock, auditLog } = this.deps;
    const { tenantId } = caller;
    const state = STATE_AFTER[decision];
    const kept = state === 'accepted' ? rule : undefined;
    const record = { tenantId, id, state, rule: kept, basedOn, decidedBy: caller.keyName, decidedAt: clock.now() };
    // The audit log has the words of a rule only when it stood in the file, where every admin sees it.
    const details = { tool: rule.tool, pattern: decision === 'dismiss' ? undefined : rule.pattern, basedOn };
    await store.transaction({ tenant: tenantId }, async tx => {
      await tx.learnedRules.put(record);
      await auditLog.record({ ...byActor(caller), action: `rule.${decision}`, target: id, details }, tx);
    });
    return record;
  }

  /** Rejects when the text has a mistake, the file was changed, or the directory is read-only. */
  private async assertPossible(text: string | undefined, file: ConfigText | undefined): Promise<void> {
    if (text === undefined) throw ruleIsGone();
    this.settingsOf(text);
    await assertUnchanged(this.deps.configEditor, { name: APPROVALS_FILE, baseHash: file?.hash });
  }

  private async write(caller: Principal, text: string | undefined, file: ConfigText | undefined): Promise<void> {
    if (text === undefined) throw ruleIsGone();
    await writeConfigFile(this.deps, caller, { name: APPROVALS_FILE, text, baseHash: file?.hash });
  }
}

/**
 * Returns the index at which the rule goes in: before the first rule of the tenant that asks about one of the calls. Undefined when the rule would come before one that
 * forbids calls of the tool, or asks colleagues about them.
 */
function findInsertIndex(
  own: NonNullable<ApprovalSettings['rules']>,
  { tool, calls }: { tool: AgentTool; calls: Candidate['calls'] },
): number | undefined {
  const asking = own.findIndex(
    rule => rule.decision === 'ask' && calls.some(({ approval: { args } }) => matchesRule(rule, { tool, args })),
  );
  const index = asking === -1 ? own.length : asking;
  const isFirm = own
    .slice(index)
    .some(rule => (rule.tool === '*' || rule.tool === tool.name) && (rule.decision === 'deny' || asksColleagues(rule)));
  return isFirm ? undefined : index;
}

const idOf = (tenantId: string, rule: ProposedRule): string => `prp_${fingerprintOf({ tenantId, rule }).slice(0, 22)}`;

const noProposal = (): AppError =>
  new AppError('not_found', { param: '/id', message: 'There is no such proposal.', messageZh: '没有这个建议。' });

const ruleIsGone = (): AppError =>
  new AppError('config_changed', {
    param: '/id',
    message: 'The accepted rule was changed in approvals.yaml or removed from it: edit the file by hand.',
    messageZh: '已接受的规则在 approvals.yaml 中已被修改或移除：请手动编辑该文件。',
  });

const wrongState = (state: ProposalState): AppError =>
  new AppError('invalid_request', {
    param: '/decision',
    message: `The proposal is ${state}: only an accepted proposal can be undone, and only one that is not accepted can be accepted or dismissed.`,
    messageZh: `此建议的状态是 ${state}：未接受的可以 accept 或 dismiss，已接受的可以 undo。`,
    details: { state },
  });

const brokenFile = (cause: unknown): AppError =>
  new AppError('invalid_request', {
    cause,
    message: 'approvals.yaml has a mistake, so no rule can be added: mend the file first; warnings of /readyz name the line.',
    messageZh: 'approvals.yaml 有错误，无法添加规则：请先改正该文件；/readyz 的 warnings 指出所在的行。',
  });
