/**
 * Follows the events of the runs that this process executes, for operators: the present step of each run, and figures. Memory only. Each event comes
 * once, when it gets its number; a delta costs one assignment.
 */
import type { Clock } from '../../../port/clock';
import type { ObserverListener } from '../../../port/observer';
import type { RunEvent, RunEventData, TerminalStatus } from '../../../port/run_event';
import type { RunRecord } from '../../../port/store/runs';
import { commandOf } from '../../../utils/command_of';
import { toNanoDollars } from '../../../utils/dollars';
import { ModelFigures } from './model_figures';
import { Traffic } from './traffic';

export interface RunStep {
  kind: 'model' | 'tool' | 'human' | 'child';
  /** Name of the tool. */
  name?: string;
  /** The command or the arguments of the call, in one line. A text of the model: only for callers who read texts. */
  command?: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** The last tool call or model that failed in a run. */
export interface LastFailure {
  kind: 'tool' | 'model';
  name: string;
  code: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The state of a run that executes here. */
export interface RunProgress {
  step: RunStep;
  /** Answers of the model so far. */
  iterations: number;
  tokens: number;
  /** Absent when the price of a call is unknown. */
  costUsd?: number;
  lastFailure?: LastFailure;
  /** Milliseconds since 1970. */
  lastEventAt: number;
}

interface ActiveRun {
  run: RunRecord;
  /** The model that was asked for. */
  ownModel: string;
  /** The model that answers. */
  model: string;
  iterations: number;
  tokens: number;
  nanoDollars: number;
  /** A call of a model without a price has been counted. */
  isUnpriced: boolean;
  lastEventAt: number;
  /** Time at which the present model call began; undefined between two calls. */
  modelSince: number | undefined;
  hasToken: boolean;
  /** Id of a running tool call -> its step. */
  tools: Map<string, RunStep>;
  /** Id of an open question -> its step. */
  waits: Map<string, RunStep>;
  lastFailure?: LastFailure;
  ending?: { status: TerminalStatus; at: number };
}

export interface RunActivityDeps {
  clock: Clock;
  /** The name of the model that answers, as it is shown. */
  modelOf: (run: RunRecord) => string;
}

export class RunActivity {
  private readonly runs = new Map<string, ActiveRun>();
  readonly figures: { traffic: Traffic; models: ModelFigures };

  constructor(private readonly deps: RunActivityDeps) {
    this.figures = { traffic: new Traffic(), models: new ModelFigures(deps.clock) };
  }

  /** Call it with each event of a run once, in order. `at`: milliseconds since 1970. */
  noteEvents(run: RunRecord, events: readonly { event: RunEvent }[], at: number): void {
    const active = this.runs.get(run.id) ?? this.addRun(run, at);
    active.lastEventAt = at;
    // Called for each delta: an iterator would be garbage of every token.
    for (let i = 0; i < events.length; i += 1) {
      const event = events[i]?.event;
      if (event) this.note(active, event, at);
    }
  }

  /** Counts the run when it has ended, and forgets it. */
  removeRun(runId: string): void {
    const active = this.runs.get(runId);
    if (!active) return;
    this.runs.delete(runId);
    const { run, ending } = active;
    if (!ending) return;
    // The run of a master counts, and holds the time of its child runs.
    if (run.parent) return;
    const durationMs = Math.max(0, ending.at - (run.startedAt ?? run.createdAt));
    this.figures.traffic.recordRun(run.tenantId, ending.at, { hasFailed: ending.status === 'failed', durationMs });
  }

  /** Counts calls that are no events of a run: requests that were sent again, and calls that failed. */
  listenToModels(): ObserverListener {
    return {
      workMarked: ({ kind, begun }, mark) => {
        if (kind === 'model_call' && mark.type === 'retry' && begun.run) this.figures.models.recordRetry(begun.run.tenantId, begun.model);
      },
      workEnded: ({ kind, begun, ended }) => {
        if (kind !== 'model_call' || !begun.run || !ended.error?.startsWith('model_')) return;
        this.figures.models.recordError(begun.run.tenantId, begun.model, ended.error);
      },
    };
  }

  /** Undefined for a run that executes elsewhere, or that has published nothing yet. */
  progressOf(runId: string): RunProgress | undefined {
    const active = this.runs.get(runId);
    return active && toProgress(active);
  }

  /** The runs that execute here, by id. */
  listProgress(): Record<string, RunProgress> {
    return Object.fromEntries([...this.runs].map(([id, active]) => [id, toProgress(active)]));
  }

  private addRun(run: RunRecord, now: number): ActiveRun {
    const ownModel = this.deps.modelOf(run);
    const active: ActiveRun = {
      run,
      ownModel,
      model: ownModel,
      iterations: 0,
      tokens: 0,
      nanoDollars: 0,
      isUnpriced: false,
      lastEventAt: now,
      // A run that was interrupted goes on from now.
      modelSince: run.epoch > 1 ? now : (run.startedAt ?? now),
      hasToken: false,
      tools: new Map(),
      waits: new Map(),
    };
    this.runs.set(run.id, active);
    return active;
  }

  private note(active: ActiveRun, event: RunEvent, at: number): void {
    switch (event.type) {
      case 'text_delta':
      case 'reasoning_delta':
        if (!active.hasToken) this.noteFirstToken(active, at);
        return;
      case 'message_end':
        if (event.data.role === 'assistant') this.noteAnswer(active, at);
        return;
      case 'usage':
        this.noteUsage(active, event.data, at);
        return;
      case 'tool_call_start':
        active.tools.set(event.data.toolCallId, { kind: 'tool', name: event.data.name, command: commandOf(event.data), since: at });
        return;
      case 'delegate_start': {
        const step = active.tools.get(event.data.toolCallId);
        if (step) step.kind = 'child';
        return;
      }
      case 'tool_call_end':
        active.tools.delete(event.data.toolCallId);
        if (!event.data.ok) active.lastFailure = { kind: 'tool', name: event.data.name, code: event.data.status ?? 'error', at };
        if (active.tools.size === 0) beginCall(active, at);
        return;
      case 'clarify_request':
        active.waits.set(event.data.requestId, { kind: 'human', since: at });
        return;
      case 'approval_request':
        active.waits.set(event.data.requestId, { kind: 'human', name: event.data.tool, command: commandOf(event.data), since: at });
        return;
      case 'clarify_end':
      case 'approval_end':
        active.waits.delete(event.data.requestId);
        return;
      case 'model_fallback':
        this.figures.models.recordFallback(active.run.tenantId, event.data.from);
        active.model = event.data.to;
        active.lastFailure = { kind: 'model', name: event.data.from, code: event.data.code ?? 'error', at };
        return;
      case 'run_end':
        active.ending = { status: event.data.status, at };
        return;
    }
  }

  private noteFirstToken(active: ActiveRun, at: number): void {
    active.hasToken = true;
    if (active.modelSince === undefined) return;
    const milliseconds = Math.max(0, at - active.modelSince);
    this.figures.traffic.recordFirstToken(active.run.tenantId, at, milliseconds);
    this.figures.models.recordFirstToken(active.run.tenantId, active.model, milliseconds);
  }

  private noteAnswer(active: ActiveRun, at: number): void {
    active.iterations += 1;
    const durationMs = active.modelSince === undefined ? 0 : Math.max(0, at - active.modelSince);
    this.figures.models.recordCall(active.run.tenantId, active.model, durationMs);
    active.modelSince = undefined;
    // Also reset when a limit cut the answer, or when its tool calls wait for approval: the next token belongs to another call.
    active.hasToken = false;
  }

  private noteUsage(active: ActiveRun, usage: RunEventData<'usage'>, at: number): void {
    const tokens = usage.inputTokens + usage.outputTokens;
    const nanoDollars = toNanoDollars(usage.costUsd ?? 0);
    active.tokens += tokens;
    active.nanoDollars += nanoDollars;
    if (usage.costUsd === undefined) active.isUnpriced = true;
    active.model = usage.model ?? active.ownModel;
    this.figures.traffic.recordTokens(active.run.tenantId, at, { tokens, nanoDollars });
    this.figures.models.recordUsage(active.run.tenantId, active.model, usage);
  }
}

function beginCall(active: ActiveRun, at: number): void {
  active.modelSince = at;
  active.hasToken = false;
}

function toProgress(active: ActiveRun): RunProgress {
  const { waits, tools, modelSince, iterations, tokens, lastEventAt, lastFailure } = active;
  const [wait] = waits.values();
  const [tool] = tools.values();
  const step: RunStep = wait ? { ...wait, name: wait.name ?? tool?.name } : (tool ?? { kind: 'model', since: modelSince ?? lastEventAt });
  const costUsd = active.isUnpriced ? undefined : active.nanoDollars / 1e9;
  return { step: { ...step }, iterations, tokens, costUsd, lastEventAt, lastFailure };
}
