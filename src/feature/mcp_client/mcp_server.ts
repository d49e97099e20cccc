/** One configured server: keeps it connected, keeps its tools in the registry, and calls them. */
import { type McpConnection, McpError, type McpHandlers } from '../../port/mcp';
import type { McpServerRow } from '../../service/tool/mcp_server_list';
import type { ToolContext, ToolResult } from '../../tools/common';
import { isUnusable, type ToolEntry } from '../../tools/foreign_tools';
import { compileSchemas } from '../../tools/validation';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { type Absence, absenceProblem, noAnswerWithin, notConnected } from './absence';
import { CoalescedWork } from './coalesced_work';
import { readApp } from './mcp_app';
import { McpCall } from './mcp_call';
import type { McpServerConfig } from './mcp_config';
import type { McpServerDeps } from './mcp_server_deps';
import { McpToolSet, toUnusable } from './mcp_tool_set';
import { OpenCalls } from './open_calls';
import { RetrySchedule } from './retry_schedule';
import { withLimit } from './with_limit';

/** Describes a server that is not turned off. */
export type McpServerState = Omit<McpServerRow, 'name' | 'enabled' | 'state'> & { state: Exclude<McpServerRow['state'], 'disabled'> };

/** Limit for connecting. It is long because `npx` may have to install the server first. */
const CONNECT_LIMIT_MS = 60_000;
const LIST_LIMIT_MS = 30_000;
const PING_EVERY_MS = 30_000;
const PING_LIMIT_MS = 5_000;
/** Milliseconds between two readings of a list: several changes that come together are read once. */
const REFRESH_MS = 500;

export class McpServer {
  private readonly toolSet: McpToolSet;
  private readonly retries: RetrySchedule;
  private readonly calls: OpenCalls;
  private state: McpServerState['state'] = 'connecting';
  private error: Bilingual | undefined;
  private connection: McpConnection | undefined;
  private entries: readonly ToolEntry[] = [];
  private problems: string[] = [];
  /** Why a person has to log in, since the last connection. */
  private loginReason: Bilingual | undefined;
  /** The attempt under way, or the last one. */
  private attempt: { abort: AbortController; done: Promise<void> } | undefined;
  private stopTimers = () => {};
  private isTrying = false;
  private isListStale = false;
  private refreshError: string | undefined;
  private readonly refreshing: CoalescedWork;
  private endReason: Bilingual | undefined;

  constructor(
    readonly config: McpServerConfig,
    private readonly deps: McpServerDeps,
  ) {
    this.toolSet = new McpToolSet(config, (tool, args, ctx) => this.callTool(tool, args, ctx));
    this.calls = new OpenCalls(deps.clock);
    this.retries = new RetrySchedule(deps.clock, deps.random);
    this.refreshing = new CoalescedWork(deps.clock, REFRESH_MS, () => this.refresh());
  }

  describe(): McpServerState {
    const { connection, state, error, problems, loginReason } = this;
    const nextTryMs = this.retries.leftMs;
    return {
      state,
      transport: connection?.transport ?? this.config.target.kind,
      tools: connection ? this.usableNames() : [],
      problems: connection && loginReason ? [...problems, loginReason.en] : problems,
      error: error?.en,
      server: connection?.server,
      nextTryMs,
      needsLogin: loginReason && true,
      hasLogin: this.config.target.kind === 'http' && this.config.target.login !== undefined ? true : undefined,
    };
  }

  /** Ends the present connection and begins to connect. Resolves when that has succeeded or failed. */
  async connect(): Promise<void> {
    await this.disconnect();
    if (this.endReason !== undefined) return;
    this.retries.reset();
    return this.begin();
  }

  /** Ends the connection for good. Its tools stay listed with the reason, a clause. Never rejects. */
  async stop(reason: Bilingual): Promise<void> {
    this.endReason = reason;
    this.error = reason;
    this.state = 'failed';
    this.publish(toUnusable(this.entries, reason));
    await this.disconnect();
  }

  /** Resolves with the page of an app that a tool of the server names. Rejects with an AppError. */
  readApp(uri: string): Promise<string> {
    return readApp(uri, {
      server: this.config.name,
      isNamed: this.toolSet.hasApp(uri),
      connection: this.connection,
      clock: this.deps.clock,
    });
  }

  private async disconnect(): Promise<void> {
    this.retries.cancel();
    this.stopTimers();
    this.attempt?.abort.abort();
    const { connection, attempt } = this;
    this.connection = undefined;
    await connection?.close();
    await attempt?.done;
  }

  private begin(): Promise<void> {
    if (this.attempt && this.isTrying) return this.attempt.done;
    const abort = new AbortController();
    this.state = 'connecting';
    this.isTrying = true;
    const done = this.tryToConnect(abort)
      .finally(() => {
        this.isTrying = false;
      })
      .catch((thrown: unknown) => {
        if (!abort.signal.aborted) this.fail(thrown instanceof McpError ? thrown.text : inBoth('It cannot be connected.', '无法连接。'));
        if (!(thrown instanceof McpError)) this.deps.onError(`the MCP server ${this.config.name} cannot be connected`, thrown);
      });
    this.attempt = { abort, done };
    return done;
  }

  private async tryToConnect(abort: AbortController): Promise<void> {
    const { mcp, clock } = this.deps;
    const { name, target } = this.config;
    const limit = withLimit(clock, CONNECT_LIMIT_MS, abort.signal);
    let connection: McpConnection | undefined;
    let closeReason: Bilingual | undefined;
    const handlers = this.handlersOf(reason => {
      closeReason = reason;
      if (connection && connection === this.connection) this.lose(connection, reason);
    });
    try {
      connection = await mcp.connect(target, handlers, { signal: limit.signal, keeper: this.deps.keeperOf(name, target) });
      const built = await this.readTools(connection, limit.signal);
      if (abort.signal.aborted) throw new McpError('aborted', inBoth('The attempt was cancelled.', '连接尝试已取消。'));
      if (closeReason !== undefined) throw new McpError('lost', closeReason);
      this.accept(connection, built);
    } catch (thrown) {
      await connection?.close();
      throw limit.isOver && !abort.signal.aborted ? new McpError('unsent', noAnswerWithin(CONNECT_LIMIT_MS / 1_000)) : thrown;
    } finally {
      limit.stop();
    }
  }

  private accept(connection: McpConnection, built: { entries: ToolEntry[]; problems: string[] }): void {
    this.connection = connection;
    this.calls.forgetAbandoned();
    this.state = 'connected';
    this.error = undefined;
    this.loginReason = undefined;
    this.deps.observer.note({ type: 'mcp_connected', server: this.config.name });
    this.retries.noteConnected();
    this.take(built);
    this.watchConnection(connection);
    // The list may have changed while it was being read, so it is read again.
    if (this.isListStale) this.refreshing.request();
    this.isListStale = false;
  }

  private take({ entries, problems }: { entries: ToolEntry[]; problems: string[] }): void {
    this.entries = entries;
    this.problems = problems;
    this.publish(entries);
  }

  private publish(entries: readonly ToolEntry[]): void {
    this.deps.tools.replaceTools(this.config.name, entries, 'mcp');
  }

  private async readTools(connection: McpConnection, signal: AbortSignal) {
    const built = this.toolSet.build(await connection.listTools(signal));
    await compileSchemas(built.entries.flatMap(entry => (isUnusable(entry) ? [] : entry)));
    return built;
  }

  private handlersOf(onClose: McpHandlers['onClose']): McpHandlers {
    return {
      onClose,
      onToolsChange: () => {
        if (this.connection) this.refreshing.request();
        else this.isListStale = true;
      },
      onElicitation: (question, signal) => this.calls.answer(question, signal),
      onLateAnswer: call => this.calls.noteAnswered(call),
      onLoginNeeded: reason => {
        this.loginReason = reason;
      },
      onStderr: line => this.deps.onStderr(this.config.name, line),
    };
  }

  /** Handles a connection that has ended, or that is ended because it is of no use. */
  private lose(connection: McpConnection, reason: Bilingual): void {
    if (connection !== this.connection) return;
    this.connection = undefined;
    this.stopTimers();
    void connection.close();
    this.fail(reason);
  }

  private fail(reason: Bilingual): void {
    const { name } = this.config;
    this.state = 'failed';
    if (this.error?.en !== reason.en) this.deps.onError(`the MCP server ${name} is not connected`, reason.en);
    this.error = reason;
    this.publish(toUnusable(this.entries, absenceProblem(name, reason)));
    if (this.endReason === undefined) this.retries.plan(() => void this.begin());
  }

  /** Asks from time to time whether the server still answers: an HTTP server that is gone does not say so. */
  private watchConnection(connection: McpConnection): void {
    this.stopTimers = this.deps.clock.after(PING_EVERY_MS, () => {
      // Checks the connection only when no call runs: a server that works on a call may be too busy to answer, and the time limit of the call watches
      // it.
      const check = this.calls.isEmpty ? this.assureAlive(connection) : Promise.resolve();
      void check.then(() => {
        if (connection === this.connection) this.watchConnection(connection);
      });
    });
  }

  private async assureAlive(connection: McpConnection): Promise<void> {
    const limit = withLimit(this.deps.clock, PING_LIMIT_MS);
    try {
      await connection.ping(limit.signal);
    } catch {
      this.lose(connection, inBoth('It does not answer any more.', '它不再响应。'));
    } finally {
      limit.stop();
    }
  }

  private async refresh(): Promise<void> {
    const { connection } = this;
    if (!connection) return;
    const limit = withLimit(this.deps.clock, LIST_LIMIT_MS);
    try {
      const built = await this.readTools(connection, limit.signal);
      if (connection === this.connection) this.take(built);
      this.refreshError = undefined;
    } catch (thrown) {
      if (connection === this.connection) this.noteRefreshError(thrown);
    } finally {
      limit.stop();
    }
  }

  /** A server that says again and again that its list has changed must not fill the log. */
  private noteRefreshError(thrown: unknown): void {
    const reason = String(thrown);
    if (reason !== this.refreshError) this.deps.onError(`the tools of the MCP server ${this.config.name} cannot be read again`, thrown);
    this.refreshError = reason;
  }

  private async callTool(tool: string, args: Record<string, unknown>, ctx: ToolContext): Promise<ToolResult> {
    const { connection, config, deps } = this;
    if (!connection) return notConnected({ server: config.name, ...this.absence() }, ctx);
    const { name: server, effect, timeoutMs } = config;
    const work = deps.observer.begin('mcp_request', { server, method: 'tools/call', tool, ...ofRun(ctx) });
    const call = new McpCall(
      { tool, args, server, effect, timeoutMs, trace: work.trace, appUri: this.toolSet.appOf(tool) },
      ctx,
      deps.clock,
    );
    this.calls.add(call);
    let error: string | undefined = 'error';
    try {
      const result = await call.run(connection);
      error = result.ok ? undefined : result.isTimeout ? 'timeout' : (result.status ?? 'tool_error');
      return result;
    } finally {
      work.end(error === undefined ? {} : { error });
      this.calls.remove(call);
      // Only this check finds a server that hangs, and a server over HTTP that has forgotten the session.
      if (call.isServerInDoubt && connection === this.connection) void this.assureAlive(connection);
    }
  }

  private absence(): Pick<Absence, 'reason' | 'retryMs' | 'isFinal'> {
    const reason = this.endReason ?? this.error ?? inBoth('it is being connected', '正在连接');
    return { reason, retryMs: this.retries.leftMs, isFinal: this.endReason !== undefined };
  }

  private usableNames(): string[] {
    return this.entries.filter(({ name }) => this.deps.tools.get(name)?.toolset === this.config.name).map(({ name }) => name);
  }
}

/** The call of a run for which a request is made. */
const ofRun = ({ runId, toolCallId, trace }: ToolContext) => ({ toolCallId, runId: runId || undefined, trace });
