/** Reads and follows config/approvals.yaml: approval rules for all tenants and for single ones, and changes to the default rules. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { RE2JS } from 're2js';
import { ADDRESS_PATTERN } from '../../port/approval_address';
import { asksColleagues } from '../../port/approval_review';
import type { ConfigFile, ConfigReader } from '../../port/config_files';
import type { Shell } from '../../port/shell';
import type { Workspaces } from '../../port/workspaces';
import {
  type ApprovalPolicies,
  type ApprovalRule,
  type ApprovalSettings,
  createApprovalPolicy,
  DEFAULT_DECISIONS,
} from '../../runtime/approval/approval_policy';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import type { ConfigReloads } from '../audit/config_reloads';
import { checkConfigFile } from '../config_file_check';

export const APPROVALS_FILE = 'approvals.yaml';

const MAX_APPROVERS = 10;
const MAX_DEADLINE_MS = 30 * 86_400_000;

const RuleText = closedObject({
  tool: Type.String({ pattern: '^([A-Za-z0-9_-]{1,64}|\\*)$' }),
  pattern: Optional.String({ minLength: 1, maxLength: 1_000 }),
  decision: oneOf(['ask', 'allow', 'deny']),
  reason: Type.Optional(closedObject({ en: Optional.String({ maxLength: 500 }), 'zh-CN': Optional.String({ maxLength: 500 }) })),
  session: Optional.OneOf(['exact', 'rule']),
  approvers: Optional.Integer({ minimum: 1, maximum: MAX_APPROVERS }),
  notBy: Optional.Literal('requester'),
  deadlineMs: Optional.Integer({ minimum: 1_000, maximum: MAX_DEADLINE_MS }),
  to: Optional.String({ pattern: ADDRESS_PATTERN }),
  escalate: Optional.Object(
    { afterMs: Type.Integer({ minimum: 1_000, maximum: MAX_DEADLINE_MS }), to: Type.String({ pattern: ADDRESS_PATTERN }) },
    { additionalProperties: false },
  ),
});
export type RuleText = Static<typeof RuleText>;
const DefaultDecision = oneOf(['ask', 'allow', 'deny']);
const Rules = Type.Array(RuleText, { maxItems: 500 });
const TENANT = '^[A-Za-z0-9_.-]{1,64}$';
export const APPROVALS_SCHEMA = closedObject({
  rules: Rules,
  tenants: Type.Optional(Type.Record(Type.String({ pattern: TENANT }), closedObject({ rules: Rules }), { additionalProperties: false })),
  defaults: Type.Optional(
    closedObject({
      keyFiles: Type.Optional(DefaultDecision),
      taintedRequests: Type.Optional(DefaultDecision),
      taintedMemories: Type.Optional(DefaultDecision),
    }),
  ),
});

const checker = TypeCompiler.Compile(APPROVALS_SCHEMA);

/** Reads approvals.yaml; without the file only the default rules apply. Rejects with one sentence that names file, field and line. */
export async function loadApprovalRules(files: ConfigReader): Promise<ApprovalSettings> {
  const file = await files.readFile(APPROVALS_FILE);
  return file ? toApprovalSettings(file) : { rules: [], defaults: DEFAULT_DECISIONS };
}

/** Throws one sentence that names file, field and line. */
export function toApprovalSettings(file: ConfigFile): ApprovalSettings {
  const { rules, tenants = {}, defaults } = checkConfigFile(file, checker, 'a list of rules') as Static<typeof APPROVALS_SCHEMA>;
  const rulesOf = (list: readonly RuleText[], place: string) => list.map((rule, index) => toRule(rule, `${place}/${index}`, file));
  const own = Object.entries(tenants).map(([name, part]) => [name, rulesOf(part.rules, `/tenants/${name}/rules`)] as const);
  return {
    rules: rulesOf(rules, '/rules'),
    tenants: own.length > 0 ? new Map(own) : undefined,
    defaults: { ...DEFAULT_DECISIONS, ...defaults },
    hash: file.hash,
  };
}

interface FollowedRulesDeps {
  shell: Pick<Shell, 'isolation' | 'isUnsandboxedByChoice'>;
  workspaces: Pick<Workspaces, 'hasSeveralTenants'>;
  configFiles: ConfigReader;
  configReloads: Pick<ConfigReloads, 'followChanges'>;
}

/** Creates policies that follow approvals.yaml: a change of the file counts for the next tool call. `first`: what the file says now. */
export function followApprovalRules(
  { shell, workspaces, configFiles, configReloads }: FollowedRulesDeps,
  first: ApprovalSettings,
): ApprovalPolicies {
  const isIsolated = shell.isolation !== 'none';
  const policyWith: ApprovalPolicies['policyWith'] = ({ rules, tenants, defaults }, tenantId) =>
    createApprovalPolicy({
      rules,
      tenantRules: tenants?.get(tenantId),
      defaults,
      isIsolated,
      asksAboutAllCommands: !shell.isUnsandboxedByChoice,
      isShared: () => workspaces.hasSeveralTenants,
    });
  let settings = first;
  configReloads.followChanges({
    name: APPROVALS_FILE,
    watched: APPROVALS_FILE,
    versions: () => new Map(settings.hash === undefined ? [] : [[APPROVALS_FILE, settings.hash]]),
    takeOver: async () => {
      settings = await loadApprovalRules(configFiles);
      return [];
    },
  });
  const policyOf: ApprovalPolicies['policyOf'] = tenantId => ({
    isIsolated,
    judge: call => policyWith(settings, tenantId).judge(call),
  });
  return { isIsolated, policyOf, policyWith };
}

function toRule({ pattern, ...rule }: RuleText, place: string, file: ConfigFile): ApprovalRule {
  for (const field of ['approvers', 'notBy', 'deadlineMs', 'to', 'escalate'] as const)
    if (rule[field] !== undefined && rule.decision !== 'ask') throw file.problem(`${place}/${field}`, 'needs decision: ask');
  if (rule.session !== undefined && asksColleagues(rule))
    throw file.problem(`${place}/session`, 'must be left out beside approvers and notBy: each call is asked about');
  if (pattern === undefined) return rule;
  try {
    return { ...rule, pattern: RE2JS.compile(pattern) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : 'cannot be read';
    throw file.problem(`${place}/pattern`, reason);
  }
}
