/** Counts runs, model calls, tools and waits for people. */
import type { EndedWork, ObserverListener, Work, WorkMark } from '../../port/observer';
import type { LabelNames, MetricWriter } from './label_values';
import type { RunStates } from './run_states';
import { countToolCall } from './tool_metrics';

export interface WorkMetricsDeps {
  series: MetricWriter;
  names: LabelNames;
  states: RunStates;
  /** Milliseconds since 1970. */
  now: () => number;
}

type Ended<K extends EndedWork['kind']> = Extract<EndedWork, { kind: K }>;
type Begun<K extends Work['kind']> = Extract<Work, { kind: K }>;

/** Answers of a server that too much is asked of it. */
const OVERLOADED = 'model_overloaded';
const NO_AGENT = '';

export class WorkMetrics implements Required<Pick<ObserverListener, 'workBegun' | 'workMarked' | 'workEnded'>> {
  constructor(private readonly deps: WorkMetricsDeps) {}

  workBegun(work: Work): void {
    const { series, states, names } = this.deps;
    states.begin(work);
    if (work.kind === 'run') this.countStart(work);
    else if (work.kind === 'tool_call') series.change('neta_tool_running', [names.tool(work.begun)], 1);
    else if (work.kind === 'model_call' && !work.begun.isSummary)
      series.observe('neta_tools_offered', [work.begun.run?.agent ?? NO_AGENT], work.begun.tools);
  }

  workMarked(work: Work, mark: WorkMark, sinceMs: number): void {
    if (work.kind !== 'model_call') return;
    const { series, names, states, now } = this.deps;
    const { provider, model } = work.begun;
    const labels: [string, string] = [provider, names.model(model)];
    if (mark.type === 'retry') {
      series.add('neta_model_retries_total', [...labels, mark.error]);
      if (mark.error === OVERLOADED) series.add('neta_model_rate_limited_total', labels);
      return;
    }
    series.observe('gen_ai_client_operation_time_to_first_chunk_seconds', labels, sinceMs / 1_000);
    const state = states.find(work);
    if (!state || state.hasAnswered || work.begun.isSummary) return;
    state.hasAnswered = true;
    series.observe('neta_run_first_event_seconds', [state.run.door], Math.max(0, now() - state.acceptedAt) / 1_000);
  }

  workEnded(work: EndedWork, durationMs: number): void {
    const { series, names, states } = this.deps;
    const seconds = durationMs / 1_000;
    if (work.kind === 'run') this.countEnd(work, seconds);
    else if (work.kind === 'model_call') this.countModelCall(work, seconds);
    else if (work.kind === 'tool_call') countToolCall(work, seconds, { series, names, model: names.model(states.find(work)?.model ?? '') });
    else if (work.kind === 'wait') this.countWait(work, seconds);
    else if (work.kind === 'compaction') {
      const reason = work.ended.outcome === 'failed' ? 'failed' : work.begun.reason;
      series.add('neta_context_compactions_total', [work.begun.run?.agent ?? NO_AGENT, reason]);
    } else if (work.kind === 'embedding') {
      this.countEmbedding(work, seconds);
    } else if (work.kind === 'mcp_request') {
      series.observe('mcp_client_operation_duration_seconds', [work.begun.method, work.ended.error ?? ''], seconds);
    }
    states.end(work);
  }

  private countStart({ begun: { run, acceptedAt, startedAt, isResumed } }: Begun<'run'>): void {
    if (!isResumed) this.deps.series.observe('neta_run_queue_wait_seconds', [run.door], Math.max(0, startedAt - acceptedAt) / 1_000);
  }

  private countEnd({ begun: { run }, ended: { status, reason, error, usage } }: Ended<'run'>, seconds: number): void {
    if (status === 'abandoned' || status === 'discarded') return;
    const { series, states, now } = this.deps;
    const { door, agent, runId } = run;
    const state = states.get(runId);
    series.add('neta_runs_total', [door, agent, status, reason ?? '']);
    series.observe('gen_ai_invoke_agent_duration_seconds', [agent, error ?? (status === 'completed' ? '' : (reason ?? status))], seconds);
    series.observe('neta_run_iterations', [agent], state?.iterations ?? 0);
    if (usage?.costUsd !== undefined) series.observe('neta_run_cost_usd', [agent], usage.costUsd);
    if (reason === 'budget') series.add('neta_budget_blocks_total', ['run']);
    if (run.door === 'job') series.add('neta_jobs_total', [status]);
    if (run.parent) series.add('neta_subagents_total', [status]);
    if (state?.cancel) series.observe('neta_run_cancel_seconds', [state.cancel.phase], Math.max(0, now() - state.cancel.at) / 1_000);
  }

  private countModelCall({ begun, ended: { error = '', usage } }: Ended<'model_call'>, seconds: number): void {
    const { series, names } = this.deps;
    const { provider, run } = begun;
    const model = names.model(begun.model);
    const agent = run?.agent ?? NO_AGENT;
    const labels: [string, string] = [provider, model];
    series.observe('gen_ai_client_operation_duration_seconds', ['chat', provider, model, error], seconds);
    if (error === OVERLOADED) series.add('neta_model_rate_limited_total', labels);
    if (error !== '') return;
    if (!usage) {
      series.add('neta_model_usage_missing_total', labels);
      return;
    }
    const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0, costUsd } = usage;
    const addTokens = (type: string, count: number) => {
      if (count > 0) series.add('neta_model_tokens_total', [provider, model, type, agent], count);
    };
    addTokens('input', inputTokens - cachedTokens);
    addTokens('cache_read', cachedTokens);
    addTokens('output', outputTokens - reasoningTokens);
    addTokens('reasoning', reasoningTokens);
    series.observe('gen_ai_client_token_usage', ['chat', provider, model, 'input'], inputTokens);
    series.observe('gen_ai_client_token_usage', ['chat', provider, model, 'output'], outputTokens);
    series.observe('neta_context_tokens', [agent], inputTokens);
    if (costUsd === undefined) series.add('neta_model_calls_unpriced_total', labels);
    else series.add('neta_model_cost_usd_total', [provider, model, agent], costUsd);
  }

  /** Counts a call of the embedding model. The operator has named that model, so its name is a label. */
  private countEmbedding({ begun: { provider, model }, ended: { error = '', inputTokens } }: Ended<'embedding'>, seconds: number): void {
    const { series } = this.deps;
    series.observe('gen_ai_client_operation_duration_seconds', ['embeddings', provider, model, error], seconds);
    if (inputTokens !== undefined) series.observe('gen_ai_client_token_usage', ['embeddings', provider, model, 'input'], inputTokens);
  }

  private countWait({ begun: { run, kind, tool = '' }, ended: { outcome, decision, isEdited } }: Ended<'wait'>, seconds: number): void {
    if (outcome === 'released') return;
    const { series, names } = this.deps;
    const end = outcome === 'expired' ? 'timeout' : outcome;
    if (kind === 'clarification') {
      series.add('neta_clarify_total', [run.door, end]);
      series.observe('neta_clarify_wait_seconds', [run.door], seconds);
      return;
    }
    const decided = decision === 'deny' ? 'denied' : decision === 'allow_session' ? 'session' : isEdited ? 'edited' : 'allowed';
    series.add('neta_approvals_total', [names.registeredTool(tool), outcome === 'answered' ? decided : end]);
  }
}
