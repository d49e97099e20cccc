import { parse } from 'yaml';
import { LearnedRules, type LearnedRulesDeps } from '../../../src/feature/learned_rules/learned_rules';
import type { LearnedRuleRecord } from '../../../src/feature/learned_rules/store/learned_rule_records';
import type { ConfigEditor } from '../../../src/port/config_files';
import type { Store } from '../../../src/port/store/store';
import { createApprovalPolicy, DEFAULT_DECISIONS } from '../../../src/runtime/approval/approval_policy';
import type { AuditEntry } from '../../../src/service/audit/audit_log';
import { bashTool } from '../../../src/tools/builtin/bash';

const ADMIN = { tenantId: 'acme', keyName: 'ada', scopes: new Set(['admin'] as const) };

/** Sets up rules from decided commands, each of which was allowed five times. No sandbox works, so each command asks. */
function setUp(commands: readonly string[], isWritable: boolean) {
  const written: (LearnedRuleRecord | AuditEntry | string)[] = [];
  const decided = commands.flatMap(command =>
    [1, 2, 3, 4, 5].map(i => ({
      id: `${command} ${i}`,
      sessionId: 's',
      approval: { tool: 'bash', label: '', args: { command }, fingerprint: '', sessionScope: 'none' as const, grant: '' },
      answer: '{"decision":"allow_once"}',
      createdAt: 1,
    })),
  );
  const read = {
    learnedRules: { listDecisions: async () => [], listApprovals: async () => ({ data: decided }) },
    toolExecutions: { list: async () => ({ data: [] }) },
  };
  const tx = { learnedRules: { put: async (record: LearnedRuleRecord) => void written.push(record) } };
  const configEditor: ConfigEditor = {
    listFiles: async () => [],
    readText: async () => undefined,
    isWritable: async () => isWritable,
    parse: (name, text) => ({ name, value: parse(text), problem: (_pointer, message) => new Error(message) }),
    writeText: async (_name, text) => void written.push(text),
  };
  const policyWith: LearnedRulesDeps['approvalPolicies']['policyWith'] = ({ rules, tenants }, tenantId) =>
    createApprovalPolicy({ rules, tenantRules: tenants?.get(tenantId), isIsolated: false, asksAboutAllCommands: true });
  const rules = new LearnedRules({
    // The fakes have only what learned rules read and write.
    store: { read, transaction: async (_owner: unknown, work: (writers: typeof tx) => Promise<void>) => work(tx) } as unknown as Store,
    clock: { now: () => 2 } as LearnedRulesDeps['clock'],
    configEditor,
    auditLog: { record: async entry => void written.push(entry) },
    approvalPolicies: { isIsolated: false, policyOf: () => policyWith({ rules: [], defaults: DEFAULT_DECISIONS }, 'acme'), policyWith },
    sessionAccess: { maySee: async () => true },
    findTool: name => (name === 'bash' ? bashTool : undefined),
  });
  return { rules, written };
}

it('records no acceptance, also not in the audit log, when the directory is read-only', async () => {
  const { rules, written } = setUp(['ls'], false);
  const [proposal] = await rules.listProposals(ADMIN);
  await expect(rules.decide(ADMIN, proposal?.id ?? '', 'accept')).rejects.toMatchObject({ code: 'forbidden' });
  expect(written).toEqual([]);
});

it('proposes at most 50 rules, and lets other work run in between', async () => {
  const { rules } = setUp(
    Array.from({ length: 80 }, (_, i) => `ls folder${i}`),
    true,
  );
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const proposals = await rules.listProposals(ADMIN);
  clearInterval(timer);
  expect(proposals).toHaveLength(50);
  expect(turns).toBeGreaterThan(1);
});
