/** A tool of the type service: one process that lives on between calls, is checked while it is idle, and starts again after it has ended. */
import type { ToolProcess, ToolProcessEnd } from '../../port/tool_processes';
import type { ToolResult } from '../../tools/common';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { type CallInput, createCallRequest } from './call_request';
import { describeEnd, describeStop, noUsableAnswer, toFailure, toToolResult } from './call_result';
import { type LoadedTool, memoryLimitOf, permissionsOf, redactor, type ToolCallDeps } from './loaded_tool';
import { limitProgress } from './progress_limit';
import { type OutputLine, readOutputLine, type ToolAnswer } from './tool_answer';
import { ToolOutputLog } from './tool_output_log';
import type { LoadedSettings } from './tool_settings';

const SERVICE_TIMES = {
  readyMs: 10_000,
  healthEveryMs: 30_000,
  healthMs: 10_000,
  firstBackoffMs: 1_000,
  longestBackoffMs: 60_000,
} as const;
const HEALTH_COMMAND = '__health__';
const MAX_CALLS = 32;

const NOT_RUNNING = inBoth('is not running', '没有运行');
const NO_ANSWER = inBoth('has no answer', '没有回答');
const BUSY = inBoth(`has ${MAX_CALLS} calls to answer already; try again later`, `已有 ${MAX_CALLS} 次调用等待回答；请稍后再试`);
const NOT_READY = inBoth(`was not ready within ${SERVICE_TIMES.readyMs / 1000} s`, `在 ${SERVICE_TIMES.readyMs / 1000} 秒内没有就绪`);
const ofProcess = (what: Bilingual, problem: Bilingual): Bilingual =>
  inBoth(`${what.en}: its process ${problem.en}`, `${what['zh-CN']}：它的进程${problem['zh-CN']}`);

/** An answer, or a clause that says why there is none. */
type CallEnd = { answer: ToolAnswer } | { problem: Bilingual };

interface OpenCall {
  end: (end: CallEnd) => void;
  ended: Promise<unknown>;
  onProgress?: (text: string) => void;
}

export class ServiceProcess {
  private readonly calls = new Map<string, OpenCall>();
  private readonly lifetime = new AbortController();
  /** Kills the current process. */
  private current: AbortController | undefined;
  private process: ToolProcess | undefined;
  private ready: PromiseWithResolvers<void> | undefined;
  /** Secrets of all settings that the process has seen: it may remember secrets from before a change. */
  private secrets: readonly string[] = [];
  private redact: (text: string) => string = text => text;
  private restarts = 0;
  private lastProblem: Bilingual | undefined;
  private killUnhealthy: () => void = () => {};
  private stopTimers: (() => void)[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly tool: LoadedTool,
    private readonly deps: Omit<ToolCallDeps, 'workspaces'>,
    /** Real path of the workspace in which the process works. */
    private readonly workspace: string,
  ) {}

  /** Starts the process and keeps one running until `stop`. */
  start(): void {
    this.running ??= this.keepRunning();
  }

  /** Ends the process with all its descendants; calls that wait for it fail. Never rejects. */
  async stop(): Promise<void> {
    this.lifetime.abort();
    this.current?.abort();
    await this.running;
  }

  /** Stops the process when the calls that it works on have ended. */
  async retire(): Promise<void> {
    while (this.calls.size > 0) await Promise.allSettled([...this.calls.values()].map(({ ended }) => ended));
    await this.stop();
  }

  /** The reason why the process does not answer at the moment; undefined when it runs. */
  get problem(): string | undefined {
    return this.lastProblem && `its process ${this.lastProblem.en}`;
  }

  async call(input: Omit<CallInput, 'manifest'>): Promise<ToolResult> {
    const { manifest } = this.tool;
    const call = { manifest, ...input };
    const { signal, onOutput } = input.ctx;
    const problem = await this.waitUntilReady(signal);
    if (problem !== undefined)
      return toFailure(ofProcess(NOT_RUNNING, problem), { ...call, command: { ...input.command, effect: 'read' } });
    const settings = await this.loadSettings();
    const request = createCallRequest(this.deps.ids.uuid(), call, settings.values);
    // Checked last: while the process starts, any number of calls may wait for it.
    if (this.calls.size >= MAX_CALLS) return toFailure(BUSY, call);
    const end = await this.ask(request, { signal, onProgress: limitProgress(onOutput) });
    if ('answer' in end) return toToolResult(end.answer, call, input.ctx);
    // A process that hangs must not keep the next calls waiting.
    if (signal.aborted) void this.checkHealth();
    return toFailure(end.problem, call);
  }

  private async waitUntilReady(signal: AbortSignal): Promise<Bilingual | undefined> {
    const { ready } = this;
    if (!ready || this.lifetime.signal.aborted) return this.lastProblem ?? inBoth('has not started yet', '尚未启动');
    await Promise.race([ready.promise, abortOf(signal)]).catch(() => {});
    if (signal.aborted) return inBoth('was not ready in time', '没有及时就绪');
    return this.ready === ready && this.process ? undefined : this.lastProblem;
  }

  /** Sends a request to the process. Resolves when it has answered, has ended, or the signal aborts. */
  private ask(
    request: { id: string },
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (text: string) => void },
  ): Promise<CallEnd> {
    const { process } = this;
    if (!process) return Promise.resolve({ problem: NOT_RUNNING });
    const { promise, resolve } = Promise.withResolvers<CallEnd>();
    const onAbort = () => resolve({ problem: describeStop(signal) });
    signal.addEventListener('abort', onAbort, { once: true });
    this.calls.set(request.id, { end: resolve, ended: promise, onProgress });
    process.writeLine(JSON.stringify(request));
    return promise.finally(() => {
      signal.removeEventListener('abort', onAbort);
      this.calls.delete(request.id);
    });
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.lifetime;
    while (!signal.aborted) {
      await this.runOnce();
      if (signal.aborted) return;
      const backoffMs = Math.min(SERVICE_TIMES.longestBackoffMs, SERVICE_TIMES.firstBackoffMs * 2 ** this.restarts);
      this.restarts += 1;
      this.deps.onError(`the service ${this.tool.manifest.name} starts again in ${backoffMs} ms`, `its process ${this.lastProblem?.en}`);
      await this.pause(backoffMs);
    }
  }

  /** Runs one process until it ends. */
  private async runOnce(): Promise<void> {
    const kill = new AbortController();
    const ready = Promise.withResolvers<void>();
    ready.promise.catch(() => {});
    this.current = kill;
    this.ready = ready;
    let problem: Bilingual;
    try {
      problem = await this.runProcess(kill, ready);
    } catch (thrown) {
      problem = inBoth('cannot be started', '无法启动');
      this.deps.onError(`the service ${this.tool.manifest.name} cannot be started`, thrown);
    }
    this.lastProblem = problem;
    this.process = undefined;
    this.ready = undefined;
    for (const stop of this.stopTimers.splice(0)) stop();
    ready.reject(new Error(problem.en));
    for (const call of [...this.calls.values()]) call.end({ problem: ofProcess(NO_ANSWER, problem) });
  }

  /** Runs the process. Resolves with the reason why it ended. */
  private async runProcess(kill: AbortController, ready: PromiseWithResolvers<void>): Promise<Bilingual> {
    const { manifest } = this.tool;
    const { processes, onInfo } = this.deps;
    const loaded = await this.loadSettings();
    const log = new ToolOutputLog(manifest.name, { onInfo, redact: text => this.redact(text) });
    let killReason: Bilingual | undefined;
    const killFor = (reason: Bilingual) => {
      killReason ??= reason;
      kill.abort();
    };
    const onReady = () => {
      if (this.process) return;
      this.process = process;
      this.lastProblem = undefined;
      this.killUnhealthy = () => killFor(inBoth('did not answer the health check', '没有响应健康检查'));
      this.every(SERVICE_TIMES.healthEveryMs, () => void this.checkHealth());
      ready.resolve();
    };
    const process: ToolProcess = await processes.start({
      ...permissionsOf(this.tool, loaded),
      workspace: this.workspace,
      isLasting: true,
      signal: kill.signal,
      onLine: text => this.onLine(this.redact(text), { log, process: () => process, onReady }),
      onErrorOutput: text => log.add(text),
    });
    this.after(SERVICE_TIMES.readyMs, () => {
      if (this.process !== process) killFor(NOT_READY);
    });
    this.every(SERVICE_TIMES.healthMs, () => log.flush());
    const end: ToolProcessEnd = await process.ended;
    log.flush();
    return killReason ?? describeEnd(end, memoryLimitOf(manifest, processes));
  }

  /** Kills a process that does not answer. A process that works on a call is not asked: its calls have time limits of their own. */
  private async checkHealth(): Promise<void> {
    const { process } = this;
    if (!process || this.calls.size > 0) return;
    const limit = new AbortController();
    const stopTimer = this.deps.clock.after(SERVICE_TIMES.healthMs, () => limit.abort());
    const end = await this.ask({ id: this.deps.ids.uuid(), ...{ command: HEALTH_COMMAND } }, { signal: limit.signal });
    stopTimer();
    if ('answer' in end) this.restarts = 0;
    else if (this.process === process) this.killUnhealthy();
  }

  private onLine(text: string, { log, process, onReady }: { log: ToolOutputLog; process: () => ToolProcess; onReady: () => void }): void {
    const line: OutputLine = readOutputLine(text, this.redact);
    const call = 'id' in line && line.id !== undefined ? this.calls.get(line.id) : undefined;
    if (line.kind === 'ready') onReady();
    else if (!call || line.kind === 'other') log.add(`${text}\n`);
    else if (line.kind === 'progress') call.onProgress?.(line.text);
    else {
      process().renewOutputLimit();
      call.end(line.kind === 'answer' ? { answer: line.answer } : { problem: noUsableAnswer(line.problem) });
    }
  }

  /** Returns the settings for a request. No output of the process may hold their secrets from then on. */
  private async loadSettings(): Promise<LoadedSettings> {
    const loaded = await this.deps.settings.load(this.tool.manifest);
    if (loaded.secrets.every(secret => this.secrets.includes(secret))) return loaded;
    this.secrets = [...new Set([...this.secrets, ...loaded.secrets])];
    this.redact = redactor(this.secrets);
    return loaded;
  }

  private after(milliseconds: number, callback: () => void): void {
    this.stopTimers.push(this.deps.clock.after(milliseconds, callback));
  }

  private every(milliseconds: number, callback: () => void): void {
    let stop = () => {};
    const arm = () => {
      stop = this.deps.clock.after(milliseconds, () => {
        callback();
        arm();
      });
    };
    arm();
    this.stopTimers.push(() => stop());
  }

  private async pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopTimer = this.deps.clock.after(milliseconds, resolve);
    await Promise.race([promise, abortOf(this.lifetime.signal).catch(() => {})]);
    stopTimer();
  }
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
