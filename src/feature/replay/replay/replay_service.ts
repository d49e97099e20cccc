/** Replays recorded runs: the loop of runs, with a recorded or a real model, recorded tool results and a journal in memory. */
import { type AppError, messageIn, toAppError } from '../../../errors';
import type { LlmPort, LlmRequest } from '../../../port/llm';
import type { RunRecord } from '../../../port/store/runs';
import type { Locale } from '../../../port/store/sessions';
import type { ReadableStore } from '../../../port/store/store';
import type { AgentOutcome } from '../../../runtime/agent';
import { runAgent } from '../../../runtime/agent';
import type { VisibleAgents } from '../../../service/agent/visible_agents';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import { endingOf, NO_USAGE } from '../../../service/run/finish_run';
import { errorResult, type ToolResult } from '../../../tools/common';
import { noSuchRun, type RecordingStore, readRecordedRun } from '../record/recorded_runs';
import type { RecordedRun } from '../store/recorded_run';
import { compareReplay, type Replay, type ReplayEnd, type Replayed } from './compare';
import type { PaidCalls } from './paid_calls';
import { RecordedModel, RecordingEnded } from './recorded_model';
import { RecordedTools } from './recorded_tools';
import { ReplayJournal } from './replay_journal';
import type { ReplayCaller, ReplayOptions } from './replay_options';
import { assembleReplay, type ReplayAssemblyDeps } from './replay_params';
import { ReplayedRequests } from './replayed_requests';

export interface ReplayServiceDeps extends ReplayAssemblyDeps {
  store: RecordingStore & ReadableStore<'images'>;
  paidCalls: PaidCalls;
  models: Pick<ModelCatalog, 'contextTokensOf' | 'assertModelExists'>;
  visibleAgents: Pick<VisibleAgents, 'assertAgentExists'>;
  runTool: (
    call: { name: string; args: Record<string, unknown>; locale: Locale },
    caller: ReplayCaller,
  ) => Promise<{ ok: boolean; content: string }>;
}

/** One row of replayLast. */
export interface LastReplay {
  tenantId: string;
  runId: string;
  /** Absent: the run could not be replayed, for the reason in `error`. */
  replay?: Replay;
  error?: AppError;
}

/** The most runs that one call of replayLast replays. */
export const MAX_REPLAYS = 200;

export class ReplayService {
  constructor(private readonly deps: ReplayServiceDeps) {}

  /**
   * Replays a run of the tenant. Rejects `not_found` for a run, a model or an agent that does not exist, and `not_recorded`; with a model also
   * `quota_exceeded` and `rate_limited`, because the replay then counts as a run of the caller.
   */
  async replayRun(runId: string, options: ReplayOptions, caller: ReplayCaller): Promise<Replay> {
    const run = await this.readRun(caller.tenantId, runId);
    if (options.model === undefined) return this.replay(run, options, caller);
    this.assertModelExists(options.model);
    return this.deps.paidCalls.countAsRun(caller, counted => this.replay(run, options, counted));
  }

  /** Finds a run by its id: of one tenant, or of all tenants when `tenantId` is undefined. Rejects `not_found`. */
  async findRun(tenantId: string | undefined, runId: string): Promise<RunRecord> {
    const { read } = this.deps.store;
    const owner = tenantId ?? (await read.recordings.tenantOf(runId));
    const run = owner === undefined ? undefined : await read.runs.get(owner, runId);
    if (!run) throw noSuchRun();
    return run;
  }

  /** Rejects `not_found` and `not_recorded`. */
  readRun(tenantId: string, runId: string): Promise<RecordedRun> {
    return readRecordedRun(this.deps.store, tenantId, runId);
  }

  /**
   * Replays the newest recorded runs with their recorded answers, newest first: of one tenant, or of all tenants when `tenantId` is undefined. Calls no
   * model and no tool, and writes nothing. A run that cannot be replayed has an `error` in place of its replay.
   */
  async replayLast(count: number, { tenantId: only }: { tenantId?: string }, signal: AbortSignal): Promise<LastReplay[]> {
    const { recordings } = this.deps.store.read;
    const limit = Math.min(count, MAX_REPLAYS);
    const tenants = only === undefined ? await recordings.tenants() : [only];
    const newest = await Promise.all(tenants.map(tenantId => recordings.newest(tenantId, limit)));
    const chosen = newest
      .flat()
      .sort((a, b) => b.createdAt - a.createdAt)
      .slice(0, limit);
    const replays: LastReplay[] = [];
    for (const { tenantId, id: runId } of chosen) {
      signal.throwIfAborted();
      const caller = { tenantId, keyName: '', signal };
      replays.push({ tenantId, runId, ...(await this.replayRun(runId, {}, caller).then(toReplayed, toFailed)) });
    }
    return replays;
  }

  /** Throws `not_found`. */
  assertModelExists(model: string): void {
    this.deps.models.assertModelExists(model);
  }

  /** The handle of an operator of another tenant is that of another person in the tenant of the run. */
  private assertAgentExists(agent: string, { tenantId, keyName, payer }: ReplayCaller): void {
    const isForeign = payer !== undefined && payer.tenantId !== tenantId;
    this.deps.visibleAgents.assertAgentExists(agent, { tenantId, keyName: isForeign ? undefined : keyName });
  }

  /**
   * Replays a recorded run, also of a session that was deleted. With a model the budget of the day is checked before each call. Rejects `not_found` for
   * a model or an agent that does not exist.
   */
  async replay(run: RecordedRun, options: ReplayOptions, caller: ReplayCaller): Promise<Replay> {
    const { model, agent } = options;
    if (agent !== undefined) this.assertAgentExists(agent, caller);
    if (model !== undefined) this.assertModelExists(model);
    const requests = new ReplayedRequests(run);
    const journal = new ReplayJournal();
    const params = assembleReplay(this.deps, run, { ...options, caller, journal });
    const { tools, spending } = params;
    const toolRunner = new RecordedTools({ run, tools, journal, spending, runLive: this.liveRunner(run, options, caller) });
    const llm =
      model === undefined
        ? new RecordedModel(run, requests)
        : this.realModel(run, requests, this.deps.paidCalls.modelsFor(caller, params.agent));
    const { end, hasFailed } = await this.runToEnd(run, () => runAgent({ ...params, model, llm, toolRunner }), params.usage);
    const replayed: Replayed = {
      agent: params.agent,
      model,
      end,
      hasFailed,
      requests: requests.list,
      sources: toolRunner.sources,
      prompt: requests.prompt,
      events: journal.events,
    };
    return compareReplay(run, replayed);
  }

  /** Calls the model, and compares each request with the one of the same step. */
  private realModel({ answers }: RecordedRun, requests: ReplayedRequests, llm: LlmPort): LlmPort {
    return {
      info: llm.info,
      stream(request: LlmRequest, sink) {
        requests.addRequest(request, answers[requests.list.length]?.call?.request);
        return llm.stream(request, sink);
      },
    };
  }

  private liveRunner({ locale }: RecordedRun, { liveTools }: ReplayOptions, caller: ReplayCaller) {
    if (liveTools !== 'read') return undefined;
    return async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
      try {
        return await this.deps.runTool({ name, args, locale }, caller);
      } catch (thrown) {
        caller.signal.throwIfAborted();
        // A tool that an operator has switched off, for example: the model goes on without it, as in a run.
        return errorResult(messageIn(toAppError(thrown), locale));
      }
    };
  }

  /** An end with an error is a difference only when the recorded run had another end. */
  private async runToEnd(
    run: RecordedRun,
    work: () => Promise<AgentOutcome>,
    usage: ReplayEnd['usage'],
  ): Promise<{ end: ReplayEnd; hasFailed: boolean }> {
    try {
      const { status, reason, text } = await work();
      return { end: { status, reason, text, usage }, hasFailed: false };
    } catch (thrown) {
      if (thrown instanceof RecordingEnded) return { end: brokenOff(run, thrown.message, usage), hasFailed: false };
      const { status, outcome } = endingOf(thrown, { usage, shown: '', locale: run.locale });
      const { error } = outcome;
      const wasSame = run.end.error !== undefined && error?.code === run.end.error.code;
      // The recorded run failed in the same way; it may have shown a part of an answer before.
      if (wasSame) return { end: { ...run.end, usage }, hasFailed: false };
      return { end: { status, text: outcome.text, usage, error }, hasFailed: true };
    }
  }
}

const toReplayed = (replay: Replay): Pick<LastReplay, 'replay'> => ({ replay });
const toFailed = (thrown: unknown): Pick<LastReplay, 'error'> => ({ error: toAppError(thrown) });

/** A cancelled run has fewer answers than its loop asks for. */
function brokenOff({ end: { status, reason, text } }: RecordedRun, message: string, usage = NO_USAGE): ReplayEnd {
  if (status === 'cancelled' || reason === 'timeout') return { status, reason, text, usage };
  return { status: 'failed', text: '', usage, error: { code: 'internal', message } };
}
