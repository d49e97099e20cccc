/** Builds what comes first: the services that all others may use, and the lists and slots that features and doors fill. */
import type { Settings } from '../config/settings';
import { hasSearchService } from '../config/settings/search_service';
import type { Figure } from './port/figure';
import type { Ports } from './ports';
import type { ApprovalSettings } from './runtime/approval/approval_policy';
import type { AgentProfiles } from './service/agent/agent_profiles';
import { type AgentSkills, NO_SKILLS } from './service/agent/agent_skills';
import { AuditLog } from './service/audit/audit_log';
import { ConfigReloads } from './service/audit/config_reloads';
import { TextReads } from './service/audit/text_reads';
import type { CallerSource } from './service/auth/caller_source';
import type { LoginListener } from './service/auth/login_notice';
import type { LogoutHook } from './service/auth/login_service';
import { NO_PASSWORDS, type PasswordLogin } from './service/auth/password_login';
import { RouteTokens } from './service/auth/route_tokens';
import { NO_SOCKETS, type OpenSockets } from './service/door/open_sockets';
import { NO_OWNER_PERIODS, type OwnerPeriods } from './service/housekeeping/owner_periods';
import { Purge } from './service/housekeeping/purge';
import { NO_UPLOADS, type Uploads } from './service/image/uploads';
import type { LimitSet } from './service/limits/limits_file';
import { Switches } from './service/limits/switches';
import { Mailer } from './service/mail/mailer';
import type { ModelCatalog } from './service/model/model_catalog';
import type { QuestionResolvers } from './service/question/question_resolvers';
import { NO_CREW, type RunCrew } from './service/run/run_crew';
import { NO_MEMORY, type RunMemory } from './service/run/run_memory';
import { NO_RECORDER, type RunRecorder } from './service/run/run_recorder';
import type { ExportSource } from './service/session/data_export';
import { type MessageSearcher, NO_SEARCH } from './service/session/message_searcher';
import { type BackupStatus, NO_BACKUPS } from './service/status/backup_status';
import type { DoctorChecks } from './service/status/doctor_checks';
import { type McpServerList, NO_MCP_SERVERS } from './service/tool/mcp_server_list';
import { ToolAccessSources } from './service/tool/tool_access';
import { NO_RUN_WEBHOOKS, type RunWebhooks, type WebhookForm } from './service/webhook/run_webhooks';
import { NO_WORKSPACE_SYNC, type WorkspaceSync } from './service/workspace/workspace_sync';
import type { AgentTool } from './tools/common';
import { ToolRegistry } from './tools/registry';
import { disableSearchTools } from './tools/search_service';
import { JoinedList } from './utils/joined_list';
import { Slot } from './utils/slot';

/** Holds what the core is built from. */
export interface CoreInput {
  settings: Settings;
  ports: Ports;
  profiles: AgentProfiles;
  modelCatalog: ModelCatalog;
  /** The tools of the core and of the features. */
  builtinTools: readonly AgentTool[];
  approvalSettings: ApprovalSettings;
  /** Absent without limits.yaml. */
  limits: LimitSet | undefined;
  resolvers: QuestionResolvers;
  version: string;
}

export type CoreBase = ReturnType<typeof createBase>;

/** The slots and lists are filled by installFeatures, and `openSockets` by the socket door. */
export function createBase({ settings, ports, builtinTools }: Pick<CoreInput, 'settings' | 'ports' | 'builtinTools'>) {
  const { store, clock, ids, failpoints, redactor, configFiles, observer, logger, nodeBus } = ports;
  const onError = logger.error;
  const auditLog = new AuditLog({ store, clock, ids, failpoints, redactor, onError });
  const tools = new ToolRegistry(builtinTools);
  if (!hasSearchService(settings)) disableSearchTools(tools);
  const warnings = new JoinedList<string>();
  warnings.add(() => settings.warnings);
  return {
    settings,
    ports,
    onError,
    auditLog,
    mailer: new Mailer({ sender: ports.mailSender, clock, onError }),
    textReads: new TextReads({ auditLog, clock }),
    configReloads: new ConfigReloads({ clock, configFiles, observer, auditLog, onError }),
    tools,
    switches: new Switches({ store, clock, nodeBus, onToolsChanged: () => tools.noteChange(), onError }),
    purge: new Purge({ store, clock, onError }),
    crew: new Slot<RunCrew>('crew', NO_CREW),
    memory: new Slot<RunMemory>('memory', NO_MEMORY),
    recorder: new Slot<RunRecorder>('recorder', NO_RECORDER),
    skills: new Slot<AgentSkills>('skills', NO_SKILLS),
    mcpServers: new Slot<McpServerList>('mcpServers', NO_MCP_SERVERS),
    messageSearch: new Slot<MessageSearcher>('messageSearch', NO_SEARCH),
    backupStatus: new Slot<BackupStatus>('backupStatus', NO_BACKUPS),
    runWebhooks: new Slot<RunWebhooks>('runWebhooks', NO_RUN_WEBHOOKS),
    webhookForms: new Map<string, WebhookForm>(),
    workspaceSync: new Slot<WorkspaceSync>('workspaceSync', NO_WORKSPACE_SYNC),
    uploads: new Slot<Uploads>('uploads', NO_UPLOADS),
    ownerPeriods: new Slot<OwnerPeriods>('ownerPeriods', NO_OWNER_PERIODS),
    openSockets: new Slot<OpenSockets>('openSockets', NO_SOCKETS),
    toolAccess: new ToolAccessSources(),
    warnings,
    toolProblems: new JoinedList<string>(),
    figures: new JoinedList<Figure>(),
    storedFigures: [] as (() => Promise<readonly Figure[]>)[],
    checks: new Map<string, DoctorChecks[string]>(),
    routeTokens: new RouteTokens(),
    exportSources: [] as ExportSource[],
    acceptHooks: [] as (() => void)[],
    logoutHooks: [] as LogoutHook[],
    loginListeners: [] as LoginListener[],
    callerSources: [] as CallerSource[],
    passwordLogin: new Slot<PasswordLogin>('passwordLogin', NO_PASSWORDS),
  };
}
