/** Builds the services of questions and approvals. */
import type { ConfigFiles } from '../../port/config_files';
import type { Shell } from '../../port/shell';
import type { Workspaces } from '../../port/workspaces';
import { type ApprovalPolicy, type ApprovalSettings, createApprovalPolicy } from '../../runtime/approval/approval_policy';
import type { ToolRegistry } from '../../tools/registry';
import type { ConfigReloads } from '../audit/config_reloads';
import { APPROVALS_FILE, loadApprovalRules } from './approval_rules';
import { ApprovalService } from './approval_service';
import { ApproverPresence } from './approver_presence';
import type { QuestionResolvers } from './question_resolvers';
import { type QuestionPorts, QuestionService } from './question_service';

interface Input {
  ports: QuestionPorts & {
    shell: Shell;
    workspaces: Workspaces;
    configFiles: ConfigFiles;
    configReloads: Pick<ConfigReloads, 'followChanges'>;
  };
  resolvers: QuestionResolvers;
  tools: ToolRegistry;
  approvalSettings: ApprovalSettings;
  /** Milliseconds until an approval expires. */
  timeoutMs: number;
}

/** Builds the services of questions and approvals, and the approval policy, which follows approvals.yaml. */
export function createQuestionServices({ ports, resolvers, tools, approvalSettings, timeoutMs }: Input) {
  const questionService = new QuestionService(ports, resolvers);
  const policy = followedPolicy(ports, approvalSettings);
  const approverPresence = new ApproverPresence();
  const approvalService = new ApprovalService({ ports, questionService, policy, approvers: approverPresence, tools, timeoutMs });
  return { questionService, approvalService, approverPresence, policy };
}

/** Creates a policy that follows approvals.yaml: a change of the file counts for the next tool call. */
function followedPolicy({ shell, workspaces, configFiles, configReloads }: Input['ports'], first: ApprovalSettings): ApprovalPolicy {
  const policyOf = (settings: ApprovalSettings) =>
    createApprovalPolicy({
      ...settings,
      isIsolated: shell.isolation !== 'none',
      asksAboutAllCommands: !shell.isUnsandboxedByChoice,
      isShared: () => workspaces.hasSeveralTenants,
    });
  let settings = first;
  let policy = policyOf(first);
  configReloads.followChanges({
    name: APPROVALS_FILE,
    watched: APPROVALS_FILE,
    versions: () => new Map(settings.hash === undefined ? [] : [[APPROVALS_FILE, settings.hash]]),
    takeOver: async () => {
      settings = await loadApprovalRules(configFiles);
      policy = policyOf(settings);
      return [];
    },
  });
  return { judge: call => policy.judge(call) };
}
