/** Judges past calls with the rules as they would be, so that an admin sees what a rule changes before it counts. */
import type { Principal } from '../../port/principal';
import type { ReadableStore } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import type { ApprovalPolicy, ApprovalVerdict } from '../../runtime/approval/approval_policy';
import type { SessionAccess } from '../../service/access/session_access';
import { allOf } from '../../service/all_pages';
import type { AgentTool } from '../../tools/common';
import { yieldToEventLoop } from '../../utils/yield_to_event_loop';

type Decision = ApprovalVerdict['decision'];

/** A past call. `args` is absent where the caller may not read the session of the call. */
export interface SimulatedCall {
  executionId?: string;
  sessionId?: string;
  at: number;
  args?: unknown;
  /** The verdicts of the rules without this rule, and with it. */
  before: Decision;
  after: Decision;
}

/** Counts the past calls of the tool that the rules would allow, ask about and deny. */
export interface Simulation {
  allowed: number;
  asked: number;
  denied: number;
  examples: readonly SimulatedCall[];
}

export interface SimulationDeps {
  store: ReadableStore<'toolExecutions'>;
  sessionAccess: Pick<SessionAccess, 'maySee'>;
}

/** The calls of one tool that are judged. */
const MAX_CALLS = 1_000;
const MAX_EXAMPLES = 5;
/** Long arguments are stored truncated, and examples are read by people. */
const MAX_EXAMPLE_UNITS = 2_000;

/** A past call with its arguments; those that were too long to be kept whole are left out. */
export interface PastCall {
  execution: Pick<ToolExecutionRecord, 'id' | 'sessionId' | 'createdAt'>;
  args: unknown;
}

/** Reads the newest calls of a tool that were made since the time. */
export async function readPastCalls(
  { store }: SimulationDeps,
  tenantId: string,
  filter: { tool: string; since: number },
): Promise<PastCall[]> {
  const calls: PastCall[] = [];
  for await (const { id, sessionId, createdAt, args } of allOf(page => store.read.toolExecutions.list(tenantId, filter, page))) {
    const parsed = parseArguments(args);
    if (parsed !== undefined) calls.push({ execution: { id, sessionId, createdAt }, args: parsed });
    if (calls.length === MAX_CALLS) break;
  }
  return calls;
}

/** Judges the calls. An example whose verdict changes comes first. */
export async function simulate(
  { sessionAccess }: SimulationDeps,
  caller: Principal,
  { tool, calls, before, after }: { tool: AgentTool; calls: readonly PastCall[]; before: ApprovalPolicy; after: ApprovalPolicy },
): Promise<Simulation> {
  const counts = { allow: 0, ask: 0, deny: 0 };
  const changed: SimulatedCall[] = [];
  const same: SimulatedCall[] = [];
  for (const { execution, args } of calls) {
    const verdicts = { before: before.judge({ tool, args }).decision, after: after.judge({ tool, args }).decision };
    counts[verdicts.after] += 1;
    const list = verdicts.before === verdicts.after ? same : changed;
    if (list.length < MAX_EXAMPLES)
      list.push({ executionId: execution.id, sessionId: execution.sessionId, at: execution.createdAt, args, ...verdicts });
    if ((counts.allow + counts.ask + counts.deny) % 100 === 0) await yieldToEventLoop();
  }
  const examples = [...changed, ...same.filter(({ after: decision }) => decision !== 'allow')].slice(0, MAX_EXAMPLES);
  const shown: SimulatedCall[] = [];
  for (const example of examples) shown.push(await withoutHidden(sessionAccess, caller, example));
  return { allowed: counts.allow, asked: counts.ask, denied: counts.deny, examples: shown };
}

async function withoutHidden(access: SimulationDeps['sessionAccess'], caller: Principal, example: SimulatedCall): Promise<SimulatedCall> {
  const { sessionId, args, at, before, after } = example;
  const isSeen = sessionId === undefined || (await access.maySee(caller, sessionId));
  if (!isSeen) return { at, before, after };
  return JSON.stringify(args).length > MAX_EXAMPLE_UNITS ? { ...example, args: undefined } : example;
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
