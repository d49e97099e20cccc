/** A feature is a part that hangs on the core, and can be read, tested and left out alone. */
import { createConfiguration, type FunctionalConfiguration, type IMidwayContainer } from '@midwayjs/core';
import type { StorePart, StoreParts } from './adapter/sql/store_part';
import type { DoorForm } from './controller/door_form';
import type { CoreServices } from './core_services';
import type { Figure } from './port/figure';
import type { AgentSkills } from './service/agent/agent_skills';
import type { RunToolChoice } from './service/agent/tool_choice';
import type { CallerSource } from './service/auth/caller_source';
import type { LoginListener } from './service/auth/login_notice';
import type { LogoutHook } from './service/auth/login_service';
import type { PasswordLogin } from './service/auth/password_login';
import type { OwnerPeriods } from './service/housekeeping/owner_periods';
import type { Uploads } from './service/image/uploads';
import type { BudgetListener } from './service/limits/budget_alerts';
import type { RunCrew } from './service/run/run_crew';
import type { RunMemory } from './service/run/run_memory';
import type { RunRecorder } from './service/run/run_recorder';
import type { RunListener } from './service/run_log/run_hooks';
import type { ExportSource } from './service/session/data_export';
import type { MessageSearcher } from './service/session/message_searcher';
import type { BackupStatus } from './service/status/backup_status';
import type { DoctorChecks, StoredChecks } from './service/status/doctor_checks';
import type { McpServerList } from './service/tool/mcp_server_list';
import type { ToolAccessSource } from './service/tool/tool_access';
import type { RunWebhooks, WebhookForm } from './service/webhook/run_webhooks';
import type { WorkspaceSync } from './service/workspace/workspace_sync';
import type { StopSteps } from './stop';
import type { AgentTool } from './tools/common';

export type { CoreServices };

/** A class with `@Controller`. */
export type Controller = new () => object;

/** The folder `src/feature/<name>/` exports one of these from its feature.ts. Only features.ts imports it. */
export interface Feature {
  /** The name of the folder. */
  name: string;
  /** Controllers of the feature's routes; each method that serves a route has the decorator `@Serve` with its row. */
  routes?: readonly Controller[];
  /** The path of its door, such as `/mcp`. A request below it that no route serves is for admins alone. Absent: it has no door. */
  doorPath?: string;
  /** Its tools. They join those of the core: see builtin_tools.ts, which also gives the order. */
  tools?: readonly AgentTool[];
  /** Forms the errors of its routes. Absent: they have the form of the core. */
  form?: DoorForm;
  /** Its rows in the store. */
  store?: StorePart;
  /** Checks of its rows, for the operator. `neta doctor` makes them also while the gateway is down. */
  storedChecks?: StoredChecks;
  /** Builds its services from those of the core that it names. Called once, when the core is built and before the framework starts. */
  install?(core: CoreServices): FeatureParts;
}

/** An installed feature gives these parts to the core. The core uses them in the order of the list of features. */
export interface FeatureParts {
  /** Its services, by the names under which its controllers inject them. */
  services?: object;
  /** Listens to runs, behind the listeners of the core. */
  onRun?: RunListener;
  /** Lets an agent lead a crew; at most one feature has it. */
  crew?: RunCrew;
  /** The memories in prompts; at most one feature has them. */
  memory?: RunMemory;
  /** Records the model calls of runs; at most one feature does. */
  recorder?: RunRecorder;
  /** The skills that agents know; at most one feature has them. */
  skills?: AgentSkills;
  /** Hears when most of a daily budget is used; at most one feature listens. */
  budgetListener?: BudgetListener;
  /** Yields what it keeps of a tenant, for the export of the tenant's data. */
  exportData?: ExportSource;
  /** Chooses the tools of runs; at most one feature does. */
  toolChoice?: RunToolChoice;
  /** The MCP servers whose tools agents use; at most one feature has them. */
  mcpServers?: McpServerList;
  /** Searches messages; at most one feature does. */
  messageSearch?: MessageSearcher;
  /** Keeps the workspaces of several gateways equal; at most one feature does. */
  workspaceSync?: WorkspaceSync;
  /** Tells how old the newest backup is; at most one feature does. */
  backupStatus?: BackupStatus;
  /** Keeps webhooks that are limited to one run; at most one feature does. */
  runWebhooks?: RunWebhooks;
  /** Reads the files that programs have uploaded. */
  uploads?: Uploads;
  /** Name of a form -> the form, for bodies of such webhooks. */
  webhookForms?: Readonly<Record<string, WebhookForm>>;
  /** Gives its tools what they can do for a caller. */
  toolAccess?: ToolAccessSource;
  /** operationId of a route -> secret that opens it, beside keys. */
  routeTokens?: Readonly<Record<string, string | undefined>>;
  /** Figures of the present, for metrics. */
  figures?(): readonly Figure[];
  /** Figures that it reads from the store, for metrics. Read at most every two seconds. */
  storedFigures?(): Promise<readonly Figure[]>;
  /** Checks of the running gateway, for the operator. */
  checks?: DoctorChecks;
  /** A sentence for each mistake that an operator should mend, for /readyz. */
  warnings?(): readonly string[];
  /** A sentence for each mistake in the files that bring tools, for /readyz and the view of tools. */
  toolProblems?(): readonly string[];
  /** Called after the classes of tools are made and before agents are checked and runs are recovered. */
  start?(): Promise<void>;
  /** Called last of all at a start, when the doors are open and runs are recovered. */
  serve?(): void;
  /** Called once an hour, to delete old data of its own and to look for what other processes have done. */
  cleanUp?(): Promise<void>;
  /** Says for how long chats of people are kept; at most one feature does. */
  ownerPeriods?: OwnerPeriods;
  /** Callers beside API keys, whom logins bring. */
  callers?: CallerSource;
  /** Logs people in with e-mail and password; at most one feature does. */
  passwordLogin?: PasswordLogin;
  /** Called when all logins of a key shall end. */
  onLogoutEverywhere?: LogoutHook;
  /** Tells people of unusual sign-ins and of changes of their ways to log in. */
  onLoginNotice?: LoginListener;
  /** Called when an operator lets runs begin again. */
  onAccept?(): void;
  /** Called when the gateway begins to stop: the feature starts no more runs. */
  drain?(): void;
  /** Called when runs have ended and connections are still open: ends the work of which they wait to hear. */
  endWork?(): void | Promise<void>;
  /** Called in the opposite order, after runs and connections have ended, while the store is still open. */
  stop?(): void | Promise<void>;
}

/** Name of a feature -> its parts. */
export type InstalledFeatures = ReadonlyMap<string, FeatureParts>;

/** Returns what the features add to the store. */
export const storePartsOf = (features: readonly Feature[]): StoreParts =>
  Object.fromEntries(features.flatMap(({ name, store }) => (store ? [[name, store]] : [])));

/** Builds the features and joins their parts to the core. */
export function installFeatures(features: readonly Feature[], core: CoreServices): InstalledFeatures {
  const installed = new Map(features.map(feature => [feature.name, feature.install?.(core) ?? {}]));
  for (const parts of installed.values()) {
    const { onRun, crew, memory, skills, budgetListener, exportData, toolChoice, mcpServers, messageSearch, toolAccess, cleanUp } = parts;
    if (onRun) core.runHooks.add(onRun);
    if (crew) core.crew.fill(crew);
    if (memory) core.memory.fill(memory);
    if (parts.recorder) core.recorder.fill(parts.recorder);
    if (skills) core.skills.fill(skills);
    if (budgetListener) core.budgetListener.fill(budgetListener);
    if (exportData) core.exportSources.push(exportData);
    if (toolChoice) core.toolChoice.fill(toolChoice);
    if (mcpServers) core.mcpServers.fill(mcpServers);
    if (messageSearch) core.messageSearch.fill(messageSearch);
    if (parts.workspaceSync) core.workspaceSync.fill(parts.workspaceSync);
    if (parts.backupStatus) core.backupStatus.fill(parts.backupStatus);
    if (parts.runWebhooks) core.runWebhooks.fill(parts.runWebhooks);
    if (parts.uploads) core.uploads.fill(parts.uploads);
    if (parts.ownerPeriods) core.ownerPeriods.fill(parts.ownerPeriods);
    for (const [form, toForm] of Object.entries(parts.webhookForms ?? {})) core.webhookForms.set(form, toForm);
    if (toolAccess) core.toolAccess.add(toolAccess);
    if (cleanUp) core.housekeeping.add(cleanUp);
    if (parts.onAccept) core.acceptHooks.push(parts.onAccept);
    if (parts.callers) core.callerSources.push(parts.callers);
    if (parts.passwordLogin) core.passwordLogin.fill(parts.passwordLogin);
    if (parts.onLogoutEverywhere) core.logoutHooks.push(parts.onLogoutEverywhere);
    if (parts.onLoginNotice) core.loginListeners.push(parts.onLoginNotice);
    for (const [route, secret] of Object.entries(parts.routeTokens ?? {})) if (secret !== undefined) core.routeTokens.add(route, secret);
    for (const [name, check] of Object.entries(parts.checks ?? {})) addCheck(core, name, check);
    if (parts.figures) core.figures.add(parts.figures);
    if (parts.storedFigures) core.storedFigures.push(parts.storedFigures);
    if (parts.warnings) core.warnings.add(parts.warnings);
    if (parts.toolProblems) core.toolProblems.add(parts.toolProblems);
  }
  const { store, clock } = core.ports;
  for (const { storedChecks = {} } of features)
    for (const [name, check] of Object.entries(storedChecks)) addCheck(core, name, () => check(store.read, clock.now()));
  return installed;
}

function addCheck({ checks }: CoreServices, name: string, check: DoctorChecks[string]): void {
  if (checks.has(name)) throw new Error(`Two features have a check "${name}".`);
  checks.set(name, check);
}

/** Returns what doors inject: name -> service. Throws when two parts have a service of the same name. */
export function servicesOf(core: CoreServices, features: InstalledFeatures): Map<string, object> {
  const services = new Map<string, object>(Object.entries(core));
  for (const [feature, parts] of features) {
    for (const [name, service] of Object.entries(parts.services ?? {})) {
      if (services.has(name)) throw new Error(`The feature ${feature} has a service "${name}", and another part has one too.`);
      services.set(name, service);
    }
  }
  return services;
}

/** A Midway application takes such objects in its `imports`. */
type Component = { Configuration: FunctionalConfiguration } & Record<string, object>;

/** Makes the Midway component of a feature: the framework binds its controllers, starts it and stops it. */
export function componentOf({ name, routes = [] }: Feature): Component {
  const partsIn = (container: IMidwayContainer) => container.get<InstalledFeatures>('features').get(name);
  const component = createConfiguration({ namespace: name });
  component.onReady(container => partsIn(container)?.start?.());
  component.onStop(container => container.get<StopSteps>('stopSteps').run(name, () => partsIn(container)?.stop?.()));
  return { Configuration: component, ...Object.fromEntries(routes.map(route => [route.name, route])) };
}
