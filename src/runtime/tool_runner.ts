/**
 * Runs the tool calls of an attempt: find -> parse -> validate -> execute within its time -> clip -> record. Every call gets exactly one
 * result, whatever happens: bad arguments, an unknown tool, a throw, a time-out and an abort are results too.
 */
import type { Clock } from '../port/clock';
import type { ToolMessage, WireToolCall } from '../port/llm';
import { type AgentTool, type ClarifyOutcome, errorResult, type ToolContext, ToolInputError, type ToolResult } from '../tools/common';
import { validateArguments } from '../tools/validation';
import { clipText } from '../utils/clip_text';
import { OUTCOME_UNKNOWN } from './history';
import type { RunJournal } from './journal';
import type { AssembledTools } from './tool_assembler';
import { runWithin } from './tool_time';

/** Characters of a result that the model gets, and that pages and logs get. */
const MODEL_RESULT_LIMIT = 100_000;
const SHOWN_RESULT_LIMIT = 8_000;
const DEFAULT_TIMEOUT_MS = 120_000;

/** What all calls of a run share; the runner adds what belongs to one call. */
export type ToolRunContext = Omit<ToolContext, 'toolCallId' | 'signal' | 'onOutput' | 'onClarifyRequest'> & {
  /** Blocks until the person answers; absent where nobody can be waited for. */
  readonly askPerson?: (ask: { question: string; choices?: string[]; toolCallId: string; signal: AbortSignal }) => Promise<ClarifyOutcome>;
};

/** What is known of a run that goes on after an interruption. */
export interface ResumedRun {
  /** Attempts with tool calls that are stored. */
  attempts: number;
  /** Ids of calls that had begun and have no result: nobody knows what they did. */
  interrupted: ReadonlySet<string>;
}

export interface ToolRunnerParams {
  tools: AssembledTools;
  toolContext: ToolRunContext;
  journal: RunJournal;
  clock: Clock;
  signal: AbortSignal;
  /** Shortens the time limit of every call, milliseconds. */
  timeoutMs?: number;
  /** Present when the run goes on after an interruption. */
  resumed?: ResumedRun;
  /** Told how to stop one call while it runs; returns what to do when it has ended. */
  onCallStart?: (toolCallId: string, stop: () => void) => () => void;
}

export interface ToolCallOutcome {
  message: ToolMessage;
  question?: ToolResult['question'];
}

export interface ToolRunner {
  /**
   * One outcome per call, in the order of the calls. A call that an interruption left unfinished is run again when its effect is read or
   * idempotent; of others the outcome is unknown, and said so. Rejects only when the journal does.
   */
  run(calls: readonly WireToolCall[]): Promise<ToolCallOutcome[]>;
}

export function createToolRunner(params: ToolRunnerParams): ToolRunner {
  return {
    async run(calls) {
      const prepared = calls.map(call => withoutRepetition(prepareCall(call, params.tools), params.resumed));
      if (prepared.every(call => call.tool?.effect === 'read')) {
        return Promise.all(prepared.map(call => runCall(call, params)));
      }
      const outcomes: ToolCallOutcome[] = [];
      for (const call of prepared) outcomes.push(await runCall(call, params));
      return outcomes;
    },
  };
}

/** A call that was looked up, parsed and validated; `refusal` says why it must not run. */
export interface PreparedCall {
  id: string;
  name: string;
  tool?: AgentTool;
  /** Parsed arguments, or the raw text when it is not JSON. */
  args: unknown;
  refusal?: ToolResult;
}

/** Finds the tool and checks the arguments. Never throws. */
export function prepareCall(call: WireToolCall, tools: AssembledTools): PreparedCall {
  const { name, arguments: text } = call.function;
  const parsed = parseArguments(text);
  const prepared = { id: call.id, name, args: parsed.ok ? parsed.value : text };
  const tool = tools.byName.get(name);
  if (!tool) {
    const known = tools.names.length > 0 ? `Available tools: ${tools.names.join(', ')}.` : 'No tools are available in this run.';
    return { ...prepared, refusal: errorResult(`There is no tool "${clipText(name, 100)}". ${known}`) };
  }
  if (!parsed.ok) {
    return {
      ...prepared,
      tool,
      refusal: errorResult(`The arguments of ${name} are not valid JSON: ${parsed.message}. Send one JSON object.`),
    };
  }
  const valid = validateArguments(tool, parsed.value);
  return valid.ok ? { ...prepared, tool, args: valid.value } : { ...prepared, tool, refusal: errorResult(valid.message) };
}

/** A write that may have happened must not happen again. */
function withoutRepetition(call: PreparedCall, resumed: ResumedRun | undefined): PreparedCall {
  if (!resumed?.interrupted.has(call.id)) return call;
  const isSafe = call.tool && (call.tool.effect === 'read' || call.tool.effect === 'idempotent' || call.tool.isResumable);
  return isSafe ? call : { ...call, refusal: { ...errorResult(OUTCOME_UNKNOWN), status: 'unknown' } };
}

function parseArguments(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: text.trim() === '' ? {} : JSON.parse(text) };
  } catch (thrown) {
    return { ok: false, message: thrown instanceof Error ? thrown.message : 'cannot be parsed' };
  }
}

async function runCall(call: PreparedCall, params: ToolRunnerParams): Promise<ToolCallOutcome> {
  const { journal, clock, toolContext } = params;
  const label = labelOf(call, toolContext.locale);
  if (!params.resumed?.interrupted.has(call.id)) {
    const data = { toolCallId: call.id, name: call.name, label, args: shownArguments(call.args) };
    await journal.record({ type: 'tool_call_start', data });
  }
  const startedAt = clock.monotonic();
  const result = call.refusal ?? (await executeCall(call, params));
  const durationMs = Math.round((clock.monotonic() - startedAt) * 10) / 10;
  const message: ToolMessage = { role: 'tool', tool_call_id: call.id, content: clipText(result.content, MODEL_RESULT_LIMIT) };
  await journal.record(
    {
      type: 'tool_call_end',
      data: {
        toolCallId: call.id,
        name: call.name,
        label,
        ok: result.ok,
        result: clipText(result.content, SHOWN_RESULT_LIMIT),
        durationMs,
        ...(result.status && { status: result.status }),
        ...(result.details && { details: result.details }),
      },
    },
    message,
  );
  return { message, ...(result.question && { question: result.question }) };
}

/** Long texts among the arguments (a whole file, say) are clipped for pages and logs. */
function shownArguments(args: unknown): unknown {
  if (typeof args === 'string') return clipText(args, SHOWN_RESULT_LIMIT);
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const shown = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' ? clipText(value, SHOWN_RESULT_LIMIT) : value,
  ]);
  return Object.fromEntries(shown);
}

const labelOf = ({ tool, name }: PreparedCall, locale: ToolContext['locale']): string =>
  (locale === 'zh-CN' ? tool?.translations?.['zh-CN'].label : undefined) ?? tool?.label ?? name;

/** Executes a valid call. Never rejects: what a tool throws becomes an error result. */
export async function executeCall(call: PreparedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const { tool, name, args } = call;
  if (!tool) return errorResult(`There is no tool "${name}".`);
  if (params.signal.aborted) return { ...errorResult('Not run: the run was cancelled.'), status: 'cancelled' };
  try {
    return await runWithin(
      {
        clock: params.clock,
        signal: params.signal,
        timeoutMs: Math.min(params.timeoutMs ?? Infinity, tool.timeoutMs ?? DEFAULT_TIMEOUT_MS),
        name,
        onStart: stop => params.onCallStart?.(call.id, stop),
      },
      signal => tool.execute(args, contextOf(call, params, signal)),
    );
  } catch (thrown) {
    if (thrown instanceof ToolInputError) return errorResult(thrown.message);
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return errorResult(`${name} failed unexpectedly: ${clipText(reason, 500)}`);
  }
}

function contextOf(call: PreparedCall, { toolContext, journal }: ToolRunnerParams, signal: AbortSignal): ToolContext {
  const { askPerson, ...shared } = toolContext;
  return {
    ...shared,
    toolCallId: call.id,
    signal,
    onOutput: output => journal.delta({ type: 'tool_call_delta', data: { toolCallId: call.id, name: call.name, output } }),
    ...(askPerson && {
      onClarifyRequest: (question: string, choices?: string[]) =>
        askPerson({ question, ...(choices && { choices }), toolCallId: call.id, signal }),
    }),
  };
}
