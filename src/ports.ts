/** Chooses the adapter of each port. Only this file imports adapters. */
import { join } from 'node:path';
import type { Settings } from '../config/settings';
import { createBackupMaker, placeOf } from './adapter/archive/backup_maker';
import { createConfigDirectory, TOOLS_FOLDER } from './adapter/config/config_directory';
import { createConfigEditor } from './adapter/config/config_editor';
import { createOpenAiEmbedding } from './adapter/embedding/openai_embedding';
import { createSealer } from './adapter/local/disk/sealer';
import { openSecretStore } from './adapter/local/disk/secret_store';
import { openLogger } from './adapter/local/log/open_logger';
import { createSystemClock } from './adapter/local/node/clock';
import { createLocalEventBus } from './adapter/local/node/event_bus';
import { monitorEventLoop } from './adapter/local/node/event_loop_monitor';
import { createFailpoints } from './adapter/local/node/failpoints';
import { createHostFacts } from './adapter/local/node/host_facts';
import { createIdSource } from './adapter/local/node/ids';
import { createInstanceId } from './adapter/local/node/instance_id';
import { observeStore } from './adapter/local/node/observer';
import { createSecret } from './adapter/local/node/secrets';
import { killOrphans } from './adapter/local/processes/process_tree';
import { CommandCallers } from './adapter/local/shell/command_callers';
import { createCommandOwner } from './adapter/local/shell/command_owner';
import { createLocalShell, type Sandbox } from './adapter/local/shell/shell';
import { createToolProcesses } from './adapter/local/shell/tool_processes';
import { openSkillFiles } from './adapter/local/skills/skill_files';
import { createTokenCounterWorker } from './adapter/local/tokens/token_counter_worker';
import { createCpuTaskWorker } from './adapter/local/workers/cpu_task_worker';
import { createPatchWorker } from './adapter/local/workers/patch_worker';
import { createSearchWorker } from './adapter/local/workers/search_worker';
import { openBlobDirectory } from './adapter/local/workspace/blob_directory';
import { shareWorkspaces } from './adapter/local/workspace/shared_workspaces';
import { openTenantUndo } from './adapter/local/workspace/tenant_undo';
import { createTenantWorkspaces } from './adapter/local/workspace/tenant_workspaces';
import { openOwnWorkspace, openWorkspace } from './adapter/local/workspace/workspace';
import { createWorkspaceTrees } from './adapter/local/workspace/workspace_trees';
import { createSmtpSender } from './adapter/mail/smtp_sender';
import { createMcpConnector } from './adapter/mcp/mcp_connector';
import { createModelClients } from './adapter/model_clients';
import { reportProxies } from './adapter/network/report_proxies';
import { SharedEventBus } from './adapter/nodes/shared_event_bus';
import { SharedNodeBus } from './adapter/nodes/shared_node_bus';
import { createOidcClient } from './adapter/oidc/oidc_client';
import { openStore, passwordsIn, passwordsOf } from './adapter/open_store';
import { openTraceExport } from './adapter/otel/trace_export';
import { readNodeChannel } from './adapter/postgres/node_channel';
import { PostgresNotify } from './adapter/postgres/postgres_notify';
import { createPriceList } from './adapter/prices/genai_price_list';
import { createKnownSecrets } from './adapter/redact';
import { RedisTransport } from './adapter/redis/redis_transport';
import { openSandbox } from './adapter/sandbox/sandbox';
import type { StoreParts } from './adapter/sql/store_part';
import { createOpenAiTranscription } from './adapter/transcription/openai_transcription';
import { createOpenMeteo } from './adapter/weather/open_meteo';
import { createSimulatedWeather } from './adapter/weather/simulated_weather';
import { createPushSender } from './adapter/web/push_sender';
import { createWebAccess } from './adapter/web/web_access';
import { createWebhookSender } from './adapter/web/webhook_sender';
import type { BackupMaker } from './port/backup_maker';
import type { BlobStore } from './port/blob_store';
import type { CallerCheck } from './port/caller_check';
import type { Clock, IdSource } from './port/clock';
import type { ConfigEditor, ConfigFiles } from './port/config_files';
import type { CpuTasks } from './port/cpu_tasks';
import type { EmbeddingPort } from './port/embedding';
import type { EventBus } from './port/event_bus';
import type { EventLoopMonitor } from './port/event_loop_monitor';
import type { Failpoints } from './port/failpoints';
import type { HostFacts } from './port/host_facts';
import type { InstanceId } from './port/instance_id';
import type { LogError, Logger } from './port/logger';
import type { MailSender } from './port/mail_sender';
import type { McpPort } from './port/mcp';
import type { ModelClients } from './port/model_client';
import { NO_OTHER_NODES, type NodeBus } from './port/node_bus';
import type { Observer } from './port/observer';
import type { OidcPort } from './port/oidc';
import type { PatchEngine } from './port/patch_engine';
import type { PriceList } from './port/price_list';
import type { PushSender } from './port/push_sender';
import type { Redactor } from './port/redactor';
import type { Sealer } from './port/sealer';
import type { SecretStore } from './port/secret_store';
import type { Shell } from './port/shell';
import type { SkillFiles } from './port/skill_files';
import type { Store } from './port/store/store';
import type { TokenCounter } from './port/token_counter';
import type { ToolProcesses } from './port/tool_processes';
import type { Traces } from './port/traces';
import type { TranscriptionPort } from './port/transcription';
import type { UndoStore } from './port/undo_store';
import type { WeatherService } from './port/weather';
import type { WebAccess } from './port/web';
import type { WebhookSender } from './port/webhook_sender';
import type { Workspace } from './port/workspace';
import type { WorkspaceTrees } from './port/workspace_tree';
import type { Workspaces } from './port/workspaces';
import { hiddenPlaces, programFolders, sandboxOptions } from './sandbox_options';

export interface Ports {
  logger: Logger;
  redactor: Redactor;
  /** Absent without NETA_OTLP_ENDPOINT. */
  traces?: Traces;
  clock: Clock;
  ids: IdSource;
  /** 256 random bits as 43 characters of `[A-Za-z0-9_-]`. */
  createSecret: () => string;
  configFiles: ConfigFiles;
  configEditor: ConfigEditor;
  /** Keys of model servers that people enter. */
  secretStore: SecretStore;
  sealer: Sealer;
  identity: InstanceId;
  failpoints: Failpoints;
  observer: Observer;
  store: Store;
  bus: EventBus;
  /** Messages to and from the other gateways on the store. */
  nodeBus: NodeBus;
  modelClients: ModelClients;
  priceList: PriceList;
  /** Absent without an embedding model. */
  embedding?: EmbeddingPort;
  /** Absent without a transcription model. */
  transcription?: TranscriptionPort;
  workspaces: Workspaces;
  workspaceTrees: WorkspaceTrees;
  /** A directory for bytes of workspaces. Absent: the store holds them. */
  blobDirectory?: BlobStore;
  /** The shell of the default tenant: its facts hold for every tenant. */
  shell: Shell;
  callers: CallerCheck;
  mcp: McpPort;
  undoStore: UndoStore;
  skillFiles: SkillFiles;
  toolProcesses: ToolProcesses;
  patchEngine: PatchEngine;
  web: WebAccess;
  webhookSender: WebhookSender;
  pushSender: PushSender;
  /** Absent without NETA_SMTP_URL. */
  mailSender?: MailSender;
  oidc: OidcPort;
  backupMaker: BackupMaker;
  cpuTasks: CpuTasks;
  tokenCounter: TokenCounter;
  eventLoopMonitor: EventLoopMonitor;
  host: HostFacts;
  weather: WeatherService;
  /** Sentences about proxy variables that cannot be used. */
  networkWarnings: readonly string[];
}

/** Opens every port; the store with what features add to it. Rejects with one sentence when a setting is wrong or something cannot be opened. */
export async function createPorts(settings: Settings, storeParts: StoreParts): Promise<Ports> {
  const clock = createSystemClock();
  const ids = createIdSource(clock);
  const workspace = await openWorkspace(settings.workspace);
  // Creates the data directory, which the next steps read.
  const store = await openStore(settings, storeParts, { warn: sentence => log.event('warn', sentence, {}) });
  const identity = createInstanceId();
  const failpoints = createFailpoints(settings.failpoints);
  const secretStore = openSecretStore(join(settings.dataDir, 'secrets.yaml'));
  const web = createWebAccess(settings.web);
  const redactor = createKnownSecrets(secretsOf(settings));
  const log = openLogger(settings.log, redactor.redact);
  const observed = observeStore(store, { clock, onError: log.error });
  const tracing = openTraceExport(settings.otlp, { ...settings, ...observed, ...redactor, instance: identity.self, logger: log });
  return {
    redactor,
    clock,
    ids,
    createSecret,
    configFiles: createConfigDirectory(settings.configDir),
    configEditor: createConfigEditor(settings.configDir),
    secretStore,
    sealer: createSealer({ secret: settings.secretKey, file: join(settings.dataDir, 'secret.key') }),
    identity,
    failpoints,
    ...observed,
    ...tracing,
    ...openBuses(settings, clock, identity.self, log.error),
    modelClients: createModelClients({ ids, times: settings.modelTimes }),
    priceList: createPriceList(),
    embedding: settings.embedding && createOpenAiEmbedding({ ...settings.embedding, observer: observed.observer }),
    transcription: settings.transcription && createOpenAiTranscription(settings.transcription),
    ...(await openWorkspaces(settings, workspace, { store, clock, identity, redactor })),
    undoStore: await openTenantUndo(settings.dataDir),
    skillFiles: await openSkillFiles({ config: join(settings.configDir, 'skills'), data: join(settings.dataDir, 'skills') }),
    patchEngine: createPatchWorker(),
    web,
    webhookSender: createWebhookSender({ allow: settings.web.webhookAllow }),
    pushSender: createPushSender({ allow: settings.web.webhookAllow, contact: settings.web.pushContact }),
    mailSender: settings.mail && createSmtpSender(settings.mail),
    oidc: createOidcClient({ now: () => clock.now() }),
    backupMaker: createBackupMaker({ ...settings, place: placeOf(settings) }),
    cpuTasks: createCpuTaskWorker(),
    tokenCounter: createTokenCounterWorker(),
    eventLoopMonitor: monitorEventLoop(),
    host: createHostFacts(settings),
    weather: settings.weather.isSimulated ? createSimulatedWeather(clock) : createOpenMeteo(web, settings.weather.openMeteoUrl),
    networkWarnings: reportProxies(log),
  };
}

/** Opens the bus of run events, which gateways on one Postgres share, and the bus of their messages. */
function openBuses({ databaseUrl, redisUrl }: Settings, clock: Clock, self: string, onError: LogError): Pick<Ports, 'bus' | 'nodeBus'> {
  const local = createLocalEventBus();
  if (databaseUrl === undefined) return { bus: local, nodeBus: NO_OTHER_NODES };
  const readSecret = () => readNodeChannel(databaseUrl);
  const transport =
    redisUrl === undefined ? new PostgresNotify(databaseUrl, onError) : new RedisTransport({ url: redisUrl, readSecret, onError });
  const nodeBus = new SharedNodeBus({ transport, clock, self, onError });
  return { bus: new SharedEventBus(local, nodeBus, clock), nodeBus };
}

/** Opens the sandbox, and what runs programs in workspaces. `workspace`: that of the default tenant. */
async function openWorkspaces(
  settings: Settings,
  workspace: Workspace,
  { store, clock, identity, redactor }: Pick<Ports, 'store' | 'clock' | 'identity' | 'redactor'>,
): Promise<Pick<Ports, 'workspaces' | 'workspaceTrees' | 'blobDirectory' | 'shell' | 'callers' | 'mcp' | 'toolProcesses'>> {
  const { root } = workspace;
  const { sandbox, problem } = await openSandbox(settings.sandbox, sandboxOptions(settings, root));
  const owner = await createCommandOwner(identity, settings.dataDir);
  // End the commands that the last gateway on this data directory left behind: a recovered run must not execute next to them.
  await killOrphans(owner.isPredecessor);
  const callers = new CommandCallers();
  const openShell = (place: string, box: Sandbox | undefined): Shell => {
    const shell = createLocalShell({
      root: place,
      environment: settings.toolEnvironment,
      sandbox: box,
      isUnsandboxedByChoice: settings.sandbox === 'none',
      sandboxProblem: problem,
      limits: settings.shell,
      secrets: secretsOf(settings),
      owner: owner.name,
    });
    // Commands in the sandbox have no network, so that they cannot reach the doors.
    return box ? shell : callers.watch(shell);
  };
  const fileSearch = createSearchWorker({ root });
  const shell = openShell(root, sandbox);
  const own = createTenantWorkspaces({
    own: { workspace, shell, fileSearch },
    openAt: path => {
      const other = openOwnWorkspace(path);
      return { workspace: other, shell: openShell(other.root, sandbox?.forRoot(other.root)), fileSearch: fileSearch.forRoot(other.root) };
    },
    dataDir: settings.dataDir,
    close: () => fileSearch.close(),
  });
  const toolProcesses = createToolProcesses({
    root,
    environment: settings.toolEnvironment,
    sandbox,
    limits: settings.shell,
    owner: owner.name,
    hidden: hiddenPlaces(settings),
    toolsFolder: join(settings.configDir, TOOLS_FOLDER),
    ...programFolders(settings.programDir),
    recordCaller: () => callers.recordCommand(),
  });
  const mcp = createMcpConnector({
    workspace: root,
    directory: settings.configDir,
    environment: settings.toolEnvironment,
    sandbox,
    limits: settings.shell,
    owner: owner.name,
    recordCaller: () => callers.recordCommand(),
    redactor,
    allow: settings.web.fetchAllow,
  });
  const { kind, directory } = settings.workspaceStore;
  const workspaces = kind === 'shared' ? shareWorkspaces(own, { store, clock, self: identity.self }) : own;
  return {
    workspaces,
    workspaceTrees: createWorkspaceTrees(workspaces, settings.dataDir),
    blobDirectory: directory === undefined ? undefined : await openBlobDirectory(directory),
    shell,
    callers,
    mcp,
    toolProcesses,
  };
}

/** Secrets of the environment. Those that files name become known when the files are read. */
const secretsOf = ({ apiKeys, openai, embedding, transcription, web, metricsToken, secretKey, otlp, ...stores }: Settings): string[] => [
  ...apiKeys.map(({ secret }) => secret),
  ...[openai, embedding, transcription].flatMap(model => model?.apiKey ?? []),
  ...[web.braveApiKey, web.tavilyApiKey, metricsToken, secretKey].filter(key => key !== undefined),
  ...Object.values(otlp?.headers ?? {}),
  ...passwordsOf(stores.databaseUrl),
  ...passwordsOf(stores.databaseReadUrl),
  ...[stores.redisUrl, stores.mail?.smtpUrl].flatMap(url => (url === undefined ? [] : passwordsIn(url))),
];
