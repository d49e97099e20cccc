/** Builds the services of questions and approvals. */
import type { Shell } from '../../port/shell';
import type { Workspaces } from '../../port/workspaces';
import { type ApprovalSettings, createApprovalPolicy } from '../../runtime/approval/approval_policy';
import type { ToolRegistry } from '../../tools/registry';
import { ApprovalService } from './approval_service';
import { ApproverPresence } from './approver_presence';
import type { QuestionResolvers } from './question_resolvers';
import { type QuestionPorts, QuestionService } from './question_service';

interface Input {
  ports: QuestionPorts & { shell: Shell; workspaces: Workspaces };
  resolvers: QuestionResolvers;
  tools: ToolRegistry;
  approvalSettings: ApprovalSettings;
  /** Milliseconds until an approval expires. */
  timeoutMs: number;
}

export function createQuestionServices({ ports, resolvers, tools, approvalSettings, timeoutMs }: Input) {
  const { isolation, isUnsandboxedByChoice } = ports.shell;
  const questions = new QuestionService(ports, resolvers);
  const policy = createApprovalPolicy({
    ...approvalSettings,
    isIsolated: isolation !== 'none',
    asksAboutAllCommands: !isUnsandboxedByChoice,
    isShared: () => ports.workspaces.hasSeveralTenants,
  });
  const approverPresence = new ApproverPresence();
  const approvals = new ApprovalService({ ports, questions, policy, approvers: approverPresence, tools, timeoutMs });
  return { questions, approvals, approverPresence, policy };
}
