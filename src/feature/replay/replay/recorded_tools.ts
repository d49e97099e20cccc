/** A tool runner that gives recorded results, in place of running tools. */
import type { ToolMessage, WireToolCall } from '../../../port/llm';
import { callKey } from '../../../runtime/call_key';
import type { RunJournal } from '../../../runtime/journal';
import type { RunSpending } from '../../../runtime/run_spending';
import type { AssembledTools } from '../../../runtime/tool_assembler';
import { OutputLimiter } from '../../../runtime/tool_runner/output_limiter';
import { resolveCall } from '../../../runtime/tool_runner/resolve_call';
import type { ToolCallOutcome, ToolRunner } from '../../../runtime/tool_runner/tool_runner';
import { errorResult, inLocale, type ToolLocale, type ToolResult } from '../../../tools/common';
import type { RecordedResult, RecordedRun } from '../store/recorded_run';

/** record: the recorded result. live: the tool ran. none: neither; the model is told so. */
export type ResultSource = 'record' | 'live' | 'none';

export interface RecordedToolsOptions {
  run: RecordedRun;
  tools: AssembledTools;
  journal: RunJournal;
  spending: RunSpending | undefined;
  /** Runs a tool that only reads. Absent: no tool runs. */
  runLive?: (name: string, args: Record<string, unknown>) => Promise<ToolResult>;
}

export class RecordedTools implements ToolRunner {
  /** Where the result of each call came from, by the id of the call. */
  readonly sources = new Map<string, ResultSource>();
  private readonly left: RecordedResult[];

  constructor(private readonly options: RecordedToolsOptions) {
    this.left = [...options.run.results];
  }

  async runCalls(calls: readonly WireToolCall[]): Promise<ToolCallOutcome[]> {
    const outcomes: ToolCallOutcome[] = [];
    // As in a run, the results of one attempt share a limit. The rest of a long result is not kept: a replay writes nothing.
    const output = new OutputLimiter(undefined, this.options.run);
    for (const call of calls) outcomes.push(await this.runCall(call, output));
    return outcomes;
  }

  private async runCall(call: WireToolCall, output: OutputLimiter): Promise<ToolCallOutcome> {
    const { tools, journal, run } = this.options;
    const { name, tool, args } = resolveCall(call, tools, run.locale);
    this.options.spending?.takeToolCall();
    const label = tool?.label ?? name;
    const base = { toolCallId: call.id, name, label };
    journal.append({ type: 'tool_call_start', data: { ...base, args } });
    const recorded = this.takeResult(name, args);
    const result: ToolResult = recorded ? { ok: true, content: recorded.content } : await this.resultWithout(name, args);
    // A recorded result was truncated when the run got it.
    const content = recorded ? result.content : await output.truncate(call.id, result.content);
    this.sources.set(call.id, recorded ? 'record' : result.ok ? 'live' : 'none');
    const images = recorded?.images;
    const message: ToolMessage = { role: 'tool', tool_call_id: call.id, content, ...(images && { images }) };
    journal.append({ type: 'tool_call_end', data: { ...base, ok: result.ok, result: content, durationMs: 0 } }, message);
    const asks = run.end.asks && recorded && this.left.length === 0 && (tool?.asksPerson || tool?.crew === 'escalate');
    return { message, question: asks ? questionOf(args) : undefined };
  }

  /** Takes the first recorded result of the same tool and arguments that was not given yet. */
  private takeResult(name: string, args: unknown): RecordedResult | undefined {
    const { tools, run } = this.options;
    const key = callKey(name, args);
    const index = this.left.findIndex(result => keyOf(result, tools, run.locale) === key);
    const [found] = index === -1 ? [] : this.left.splice(index, 1);
    return found;
  }

  private async resultWithout(name: string, args: unknown): Promise<ToolResult> {
    const { tools, run, runLive } = this.options;
    const isRead = tools.byName.get(name)?.effect === 'read';
    if (runLive && isRead && typeof args === 'object' && args !== null) return runLive(name, args as Record<string, unknown>);
    return errorResult(notInRecording(run.locale));
  }
}

/** Reads the arguments as the tool runner does, so that defaults and the order of the fields do not matter. */
function keyOf({ name, arguments: text }: RecordedResult, tools: AssembledTools, locale: ToolLocale): string {
  const resolved = resolveCall({ id: '', type: 'function', function: { name, arguments: text } }, tools, locale);
  return callKey(resolved.name, resolved.args);
}

const notInRecording = (locale: ToolLocale): string =>
  inLocale(
    { locale },
    'Not run: this is a replay, and the recorded run did not make this call. Go on without its result.',
    '未执行：这是重放，录制的运行没有进行此调用。请不用它的结果继续。',
  );

function questionOf(args: unknown): ToolCallOutcome['question'] {
  const { question, choices } = args as { question?: unknown; choices?: unknown };
  if (typeof question !== 'string') return undefined;
  return { question, choices: Array.isArray(choices) && choices.length > 0 ? choices.map(String) : undefined };
}
