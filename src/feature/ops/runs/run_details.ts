/** One run for operators: its facts, its waterfall, why each tool was offered, what its prompt is made of. */

import { LRUCache } from 'lru-cache';
import { AppError, ERRORS, type ErrorCode } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { RunEvent, RunEventData } from '../../../port/run_event';
import type { RunRecord } from '../../../port/store/runs';
import type { Store } from '../../../port/store/store';
import { estimateMessages, estimateTools } from '../../../runtime/fit_history';
import { wireToolOf } from '../../../runtime/tool_assembler';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import type { RunToolChoice, ToolReason } from '../../../service/agent/tool_choice';
import { toIsoTime } from '../../../utils/iso_time';
import type { Slot } from '../../../utils/slot';
import { yieldToEventLoop } from '../../../utils/yield_to_event_loop';
import type { OpsRunDetail } from '../schemas/run_schemas';
import type { OpsView } from '../shared/ops_view';
import { redactEvent } from './redact_event';
import { Waterfall } from './waterfall';

const PAGE = { limit: 2_000, maxBytes: 1024 * 1024 };
const MAX_EVENTS = 100_000;
const MAX_EXPORTED = 20_000;
const MAX_READINGS = 50;

/** Facts from the events of a run so far. */
class RunReading {
  readonly waterfall: Waterfall;
  readonly errors: OpsRunDetail['errors'] = [];
  start: RunEventData<'run_start'> | undefined;
  firstInput: number | undefined;
  seen = 0;

  constructor({ createdAt }: RunRecord) {
    this.waterfall = new Waterfall(createdAt);
  }

  add(event: RunEvent): void {
    this.seen = event.seq;
    this.waterfall.add(event);
    if (event.type === 'run_start') this.start = event.data;
    if (event.type === 'usage') this.firstInput ??= event.data.inputTokens;
    const error = errorOf(event);
    if (error) this.errors.push(error);
  }
}

export interface RunDetailsDeps {
  store: Store;
  clock: Clock;
  agents: AgentDirectory;
  toolChoice: Slot<RunToolChoice>;
}

export class RunDetails {
  /** A page reads a run that goes on every 2 seconds: only its new events are read again. */
  private readonly readings = new LRUCache<string, Promise<RunReading>>({ max: MAX_READINGS });

  constructor(private readonly deps: RunDetailsDeps) {}

  /** Finds a run. Rejects `not_found`, also for a run of another tenant, unless the view has all tenants. */
  async findRun({ tenantId }: OpsView, runId: string): Promise<RunRecord> {
    const { read } = this.deps.store;
    const tenant = tenantId ?? (await read.opsSessions.tenantOf('run', runId));
    const run = tenant === undefined ? undefined : await read.runs.get(tenant, runId);
    if (!run) throw new AppError('not_found', { param: '/id', message: 'There is no such run.', messageZh: '没有这个运行。' });
    return run;
  }

  async read(view: OpsView, runId: string, { mayReadTexts }: { mayReadTexts: boolean }): Promise<OpsRunDetail> {
    const run = await this.findRun(view, runId);
    const { waterfall, errors, start, firstInput, seen } = await this.readNews(run);
    const children = await this.deps.store.lists.runs.children(run.tenantId, run.id);
    const session = await this.deps.store.read.sessions.get(run.tenantId, run.sessionId);
    return {
      run: { ...factsOf(run, start), isTemporary: session?.temporary },
      waterfall: waterfall.rows,
      isTruncated: seen < run.lastSeq && seen > 0,
      isExpired: run.eventsExpired === true,
      ...(await this.explain(run, start?.tools ?? [], firstInput)),
      errors,
      children: children.map(({ id, sessionId, status, agent }) => ({ runId: id, sessionId, status, agent })),
      again: mayReadTexts ? againOf(run) : undefined,
    };
  }

  /** The run with its events, at most 20,000. Without the right to read texts, they are replaced by their lengths. */
  async exportRun(view: OpsView, runId: string, { mayReadTexts }: { mayReadTexts: boolean }) {
    const detail = await this.read(view, runId, { mayReadTexts });
    const run = await this.findRun(view, runId);
    const events: RunEvent[] = [];
    await this.eachEvent(run, { after: 0, most: MAX_EXPORTED }, event => events.push(mayReadTexts ? event : redactEvent(event)));
    return { ...detail, exportedAt: new Date(this.deps.clock.now()).toISOString(), hasTexts: mayReadTexts, events };
  }

  /** Returns a page of stored events. Without the right to read texts, they are replaced by their lengths. */
  async listEvents(run: RunRecord, { after, limit }: { after: number; limit: number }, { mayReadTexts }: { mayReadTexts: boolean }) {
    const events = await this.deps.store.lists.events.list(run.tenantId, run.id, after, { ...PAGE, limit });
    const last = events.at(-1)?.seq ?? after;
    return {
      data: mayReadTexts ? events : events.map(redactEvent),
      nextCursor: events.length > 0 && last < run.lastSeq ? String(last) : undefined,
    };
  }

  /** One at a time for each run. */
  private readNews(run: RunRecord): Promise<RunReading> {
    const known = this.readings.get(run.id) ?? Promise.resolve(new RunReading(run));
    const reading = known.then(async before => {
      await this.eachEvent(run, { after: before.seen, most: MAX_EVENTS }, event => before.add(event));
      return before;
    });
    this.readings.set(run.id, reading);
    const forget = () => this.readings.delete(run.id);
    reading.then(() => run.endedAt !== undefined && forget(), forget);
    return reading;
  }

  private async eachEvent(run: RunRecord, { after: first, most }: { after: number; most: number }, use: (event: RunEvent) => void) {
    for (let after = first; after < Math.min(run.lastSeq, most); ) {
      const events = await this.deps.store.lists.events.list(run.tenantId, run.id, after, PAGE);
      const last = events.at(-1);
      if (!last) return;
      for (const event of events) use(event);
      after = last.seq;
      await yieldToEventLoop();
    }
  }

  /** Explains the tools of a run. The tools come from the log; reasons and scores are computed anew, with today's profile and ranking. */
  private async explain(run: RunRecord, names: readonly string[], firstInput: number | undefined) {
    const { agents, toolChoice, store } = this.deps;
    const agent = agents.agentFor(run);
    const choice = await toolChoice.current.choose(store.read, run, agent);
    const known = new Map([...agent.tools.byName, ...(agent.candidates?.byName ?? [])]);
    const whyOf = (name: string): ToolReason => {
      if (known.get(name)?.always) return 'always';
      if (agent.profileTools.has(name)) return 'toolset';
      return choice.hints.includes(name) ? 'skill_hint' : 'relevance';
    };
    const tools = names.map((name): OpsRunDetail['tools'][number] => {
      const score = choice.ranked.find(ranked => ranked.name === name)?.score;
      return { name, why: whyOf(name), score };
    });
    const wire = names.flatMap(name => known.get(name) ?? []).map(tool => wireToolOf(tool, run.locale));
    const layers: OpsRunDetail['prompt']['layers'][number][] = [
      { name: 'prompt', tokens: estimateMessages([{ role: 'system', content: agent.stablePrompt }]) },
      { name: 'tools', tokens: estimateTools(wire) },
      { name: 'message', tokens: estimateMessages([{ role: 'user', content: run.input }]) },
    ];
    const estimated = layers.reduce((sum, { tokens }) => sum + tokens, 0);
    // The rest of the first model call: earlier messages, memories, the time.
    if (firstInput !== undefined && firstInput > estimated) layers.push({ name: 'conversation', tokens: firstInput - estimated });
    return { tools, prompt: { layers, estimatedTokens: Math.max(estimated, firstInput ?? 0) } };
  }
}

function errorOf(event: RunEvent): OpsRunDetail['errors'][number] | undefined {
  const { seq } = event;
  if (event.type === 'tool_call_end' && !event.data.ok)
    return { seq, kind: 'tool', name: event.data.name, code: event.data.status ?? 'error' };
  if (event.type === 'model_fallback') {
    const { from, code, reason } = event.data;
    return { seq, kind: 'model', name: from, code, message: reason, ...chineseOf(code) };
  }
  if (event.type !== 'run_end' || !event.data.error) return undefined;
  return { seq, kind: 'run', name: 'run', ...errorText(event.data.error) };
}

const errorText = ({ code, message }: { code: string; message: string }) => ({ code, message, ...chineseOf(code) });

/** Adds the Chinese sentence from the error table, because events hold only the English one. */
const chineseOf = (code = ''): { messageZh?: string } => (code in ERRORS ? { messageZh: ERRORS[code as ErrorCode].text['zh-CN'] } : {});

function factsOf(run: RunRecord, start: RunEventData<'run_start'> | undefined): OpsRunDetail['run'] {
  const { outcome, owner, keyName, startedAt, endedAt, parent } = run;
  const model = start?.model ?? run.model;
  return {
    runId: run.id,
    sessionId: run.sessionId,
    tenantId: run.tenantId,
    parentRunId: parent?.runId,
    status: run.status,
    reason: outcome?.reason,
    error: outcome?.error && errorText(outcome.error),
    door: run.door,
    agent: run.agent,
    locale: run.locale,
    keyName,
    model,
    node: owner,
    epoch: run.epoch,
    recoveries: run.recoveries,
    lastSeq: run.lastSeq,
    usage: outcome?.usage ?? { inputTokens: 0, outputTokens: 0 },
    limits: { ...run.limits },
    createdAt: toIsoTime(run.createdAt),
    startedAt: startedAt === undefined ? undefined : toIsoTime(startedAt),
    endedAt: endedAt === undefined ? undefined : toIsoTime(endedAt),
  };
}

const againOf = ({ input, agent, sessionId, model, parameters }: RunRecord): NonNullable<OpsRunDetail['again']> => ({
  input,
  agent,
  sessionId,
  model,
  parameters: parameters && { ...parameters },
});
