/**
 * Manages all MCP servers of the operator: connects them side by side, follows changes of config/mcp.yaml, and describes the servers for the doors.
 */
import { AppError } from '../../errors';
import type { ConfigFiles } from '../../port/config_files';
import type { LogError, LogInfo } from '../../port/logger';
import type { McpPort, McpTarget, McpTransportKind } from '../../port/mcp';
import type { Observer } from '../../port/observer';
import { DEFAULT_TENANT, isOperator, type Principal } from '../../port/principal';
import type { Redactor } from '../../port/redactor';
import type { ConfigReloads } from '../../service/audit/config_reloads';
import type { McpServerList, McpServerRow } from '../../service/tool/mcp_server_list';
import type { ToolRegistry } from '../../tools/registry';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import type { Variables } from './config_variables';
import { type McpEntry, type McpFile, namedSecrets, readMcpFile } from './mcp_config';
import { type LoginRequest, type McpLoginDeps, McpLogins } from './mcp_logins';
import { McpServer } from './mcp_server';
import type { McpServerDeps } from './mcp_server_deps';

export interface McpManagerDeps extends McpLoginDeps {
  mcp: McpPort;
  configFiles: ConfigFiles;
  configReloads: Pick<ConfigReloads, 'follow' | 'recordReload' | 'recordRefusal'>;
  tools: ToolRegistry;
  /** Gets the secrets that the file holds. */
  redactor: Redactor;
  /** Reads a variable of the gateway's environment. */
  variables: Variables;
  onError: LogError;
  /** Receives what servers write to stderr. */
  onInfo: LogInfo;
  observer: Observer;
  /** Default: Math.random. */
  random?: () => number;
}

const MCP_FILE = 'mcp.yaml';

interface Slot {
  entry: McpEntry;
  /** The server. Absent when it is turned off or was never described rightly. */
  server?: McpServer;
}

export class McpManager implements McpServerList {
  /** In the order of the file. */
  private slots = new Map<string, Slot>();
  private fileProblem: string | undefined;
  private logged: ReadonlySet<string> = new Set();
  private reading: Promise<void> = Promise.resolve();
  private canConnect = false;
  private isStopped = false;

  private readonly logins: McpLogins;

  constructor(private readonly deps: McpManagerDeps) {
    this.logins = new McpLogins(deps);
  }

  /** Reads the file and follows its changes from then on. Reserves the names of the servers in the registry; connects nothing. */
  async start(): Promise<void> {
    this.deps.configReloads.follow(MCP_FILE);
    this.deps.configFiles.watchFile(MCP_FILE, () => void this.reload());
    await this.reload();
  }

  /** Connects all servers side by side, now and after each change of the file. Returns at once. */
  connectAll(): void {
    this.canConnect = true;
    for (const { server } of this.slots.values()) void server?.connect();
  }

  /** Reads the file again. Never rejects: mistakes are logged and listed, and the servers that they concern keep their old version. */
  reload(): Promise<void> {
    this.reading = this.reading
      .then(async () => {
        if (!this.isStopped) await this.apply(await this.readFile());
      })
      // One failure must not end all later reloads.
      .catch(thrown => this.deps.onError(`${MCP_FILE} cannot be taken over`, thrown));
    return this.reading;
  }

  listServers(tenantId?: string): McpServerRow[] {
    const names = [...this.slots.keys()];
    return names.filter(name => tenantId === undefined || this.isVisible(name, tenantId)).map(name => this.describe(name));
  }

  /** Returns a sentence for each mistake in the file and each server that is not connected. */
  warnings(): string[] {
    const servers = this.listServers().flatMap(({ name, problems, state, error }) => [
      ...problems.map(problem => (problem.startsWith(MCP_FILE) ? problem : `${MCP_FILE}: ${name}: ${problem}`)),
      ...(state === 'failed' && error !== undefined && !problems.includes(error) ? [`MCP server ${name}: ${error}`] : []),
    ]);
    return [...(this.fileProblem === undefined ? [] : [this.fileProblem]), ...servers];
  }

  /**
   * Reads the file again and connects the server anew. Resolves when connecting has succeeded or failed. Rejects with `not_found`, also for a server
   * of other tenants, with `invalid_request` for a server that the file turns off or describes wrongly, and with `forbidden` for a tenant that shares
   * the server: the calls of all its tenants end.
   */
  async reconnect(name: string, principal: Principal): Promise<McpServerRow> {
    await this.reload();
    await this.findOwnServer(name, principal).connect();
    return this.describe(name);
  }

  /** Resolves with the page of an app that a tool of the server names. Rejects with `not_found` and `invalid_request`. */
  readApp(name: string, uri: string, tenantId: string): Promise<string> {
    return this.findServer(name, tenantId).readApp(uri);
  }

  /**
   * Begins a login at a server, which counts for all its tenants. Resolves with the address that a person opens. Rejects like `reconnect`, and with
   * `invalid_request`.
   */
  async beginLogin(name: string, request: LoginRequest): Promise<string> {
    await this.reload();
    return this.logins.begin(name, this.findOwnServer(name, request.actor).config.target, request);
  }

  /** Ends a login, and connects the server anew. Resolves with its name. Rejects with `not_found` and `invalid_request`. */
  async finishLogin(answer: { state: string; code: string; iss?: string | undefined }): Promise<string> {
    const name = await this.logins.finish(answer, server => this.slots.get(server)?.server?.config.target);
    void this.slots.get(name)?.server?.connect();
    return name;
  }

  /** Ends the login at a server, and connects the server anew, which then needs a login. Rejects like `reconnect`, and with `not_found`. */
  async endLogin(name: string, actor: LoginRequest['actor']): Promise<McpServerRow> {
    await this.reload();
    const server = this.findOwnServer(name, actor);
    await this.logins.end(name, server.config.target, actor);
    await server.connect();
    return this.describe(name);
  }

  /** Deletes old data. Rejects `store_unavailable`. */
  cleanUp(): Promise<void> {
    return this.logins.deleteOld();
  }

  /** Returns a server that the caller may change: as an operator, or as its only tenant. */
  private findOwnServer(name: string, principal: Principal): McpServer {
    const server = this.findServer(name, principal.tenantId);
    const { tenants } = server.config;
    const isOnlyTenant = tenants?.length === 1 && tenants[0] === principal.tenantId;
    if (!isOperator(principal) && !isOnlyTenant) throw sharedServer();
    return server;
  }

  private findServer(name: string, tenantId: string): McpServer {
    const slot = this.isVisible(name, tenantId) ? this.slots.get(name) : undefined;
    if (!slot) {
      const shown = JSON.stringify(name.slice(0, 100));
      throw new AppError('not_found', { message: `There is no MCP server ${shown}.`, messageZh: `没有 MCP 服务器 ${shown}。` });
    }
    if (!slot.server) {
      const texts =
        slot.entry.kind === 'broken'
          ? { message: slot.entry.problem, messageZh: `${MCP_FILE} 中这个服务器的配置有误：${slot.entry.problem}` }
          : {
              message: `${MCP_FILE} turns the server off: set enabled to true.`,
              messageZh: `${MCP_FILE} 停用了这个服务器：请把 enabled 设为 true。`,
            };
      throw new AppError('invalid_request', { param: '/name', ...texts });
    }
    return slot.server;
  }

  /** Ends all connections and their processes. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.reading;
    await Promise.all([...this.slots.values()].map(({ server }) => server?.stop(inBoth('the gateway is stopping', '网关正在停止'))));
  }

  /**
   * Returns whether a tenant sees the server. The tenants of a server that is turned off or described wrongly are unknown, so only the default tenant
   * sees it.
   */
  private isVisible(name: string, tenantId: string): boolean {
    const slot = this.slots.get(name);
    const config = slot?.entry.kind === 'usable' ? slot.entry.config : slot?.server?.config;
    return config ? (config.tenants?.includes(tenantId) ?? true) : tenantId === DEFAULT_TENANT;
  }

  private async readFile(): Promise<McpFile> {
    const { configFiles, variables, redactor } = this.deps;
    try {
      const file = await configFiles.readFile(MCP_FILE);
      if (!file || file.value === null) return { entries: [] };
      const read = readMcpFile(file, variables);
      redactor.addSecrets(read.entries.flatMap(entry => (entry.kind === 'usable' ? namedSecrets(entry.config.target) : [])));
      return read;
    } catch (thrown) {
      return { entries: [], problem: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  private describe(name: string): McpServerRow {
    const { entry, server } = this.slots.get(name) as Slot;
    const mistakes = entry.kind === 'broken' ? [entry.problem] : [];
    if (server) {
      const state = server.describe();
      return { name, ...state, enabled: true, problems: [...mistakes, ...state.problems] };
    }
    const transport: McpTransportKind = entry.transport;
    const row = { name, transport, tools: [], enabled: false, problems: mistakes };
    return entry.kind === 'broken' ? { ...row, state: 'failed', error: entry.problem } : { ...row, state: 'disabled' };
  }

  private async apply({ entries, problem }: McpFile): Promise<void> {
    this.fileProblem = problem;
    if (problem === undefined) {
      const before = this.slots;
      this.slots = new Map(entries.map(entry => [entry.name, { entry, ...keptServer(before.get(entry.name)?.server) }]));
      const gone = [...before].filter(([name]) => !this.slots.has(name));
      await Promise.all([
        ...gone.map(([name, { server }]) =>
          this.end(name, server, inBoth(`the MCP server ${name} is no longer in ${MCP_FILE}`, `MCP 服务器 ${name} 已不在 ${MCP_FILE} 中`)),
        ),
        ...[...this.slots.values()].map(slot => this.update(slot)),
      ]);
    }
    this.logNewMistakes();
    if (problem === undefined) await this.deps.configReloads.recordReload(MCP_FILE);
  }

  /** Starts, replaces or ends the server of a slot, as its entry says. A mistake keeps the server that runs. */
  private async update(slot: Slot): Promise<void> {
    const { entry, server } = slot;
    const { name } = entry;
    if (entry.kind === 'broken') {
      if (!server) this.deps.tools.replaceTools(name, [], 'mcp');
      return;
    }
    if (entry.kind === 'disabled') {
      delete slot.server;
      return this.end(
        name,
        server,
        inBoth(`the MCP server ${name} is turned off in ${MCP_FILE}`, `MCP 服务器 ${name} 已在 ${MCP_FILE} 中停用`),
      );
    }
    if (server?.config.version === entry.config.version) return;
    const next = new McpServer(entry.config, this.serverDeps());
    slot.server = next;
    await this.end(name, server, renewed(name));
    if (this.canConnect) void next.connect();
  }

  /** Ends a server. Tools of a server that was connected stay listed with the reason; a server that was never connected has no tools. */
  private async end(name: string, server: McpServer | undefined, reason: Bilingual): Promise<void> {
    if (server) await server.stop(reason);
    else this.deps.tools.replaceTools(name, [], 'mcp');
  }

  private serverDeps(): McpServerDeps {
    const { mcp, clock, tools, onError, onInfo, observer, random = Math.random } = this.deps;
    const onStderr = (server: string, line: string) => onInfo(`stderr of the MCP server ${server}`, line);
    const keeperOf = (name: string, target: McpTarget) => this.logins.keeperOf(name, target);
    return { mcp, clock, tools, onError, random, onStderr, observer, keeperOf };
  }

  private logNewMistakes(): void {
    const broken = [...this.slots.values()].flatMap(({ entry }) => (entry.kind === 'broken' ? [entry.problem] : []));
    const mistakes = new Set([...(this.fileProblem === undefined ? [] : [this.fileProblem]), ...broken]);
    const news = [...mistakes].filter(mistake => !this.logged.has(mistake));
    for (const mistake of news) this.deps.onError('an MCP server is not used as configured', mistake);
    // The mistakes of the start are no change.
    if (this.canConnect && news.length > 0) void this.deps.configReloads.recordRefusal(MCP_FILE, undefined);
    this.logged = mistakes;
  }
}

const sharedServer = (): AppError =>
  new AppError('forbidden', {
    message:
      'Other tenants share the server: only an operator (the scope admin in the tenant default) may log in at it or connect it anew.',
    messageZh: '其他租户也使用该服务器：只有运维人员（租户 default 中有 admin 权限的密钥）才能登录或重新连接它。',
  });

const renewed = (name: string): Bilingual =>
  inBoth(`the MCP server ${name} is being connected with its new configuration`, `MCP 服务器 ${name} 正在用新的配置连接`);

const keptServer = (server: McpServer | undefined): { server?: McpServer } => (server ? { server } : {});

/** The services of this feature, by the names under which its controllers inject them. */
export interface McpClientServices {
  mcpManager: McpManager;
}
