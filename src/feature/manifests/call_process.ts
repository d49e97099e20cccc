/** Runs one call of a tool of the type sync or async: a process of its own, which ends with the answer. */
import type { ToolResult } from '../../tools/common';
import type { Bilingual } from '../../utils/bilingual';
import { type CallInput, createCallRequest } from './call_request';
import { describeEnd, describeStop, noUsableAnswer, toFailure, toToolResult } from './call_result';
import { type LoadedTool, memoryLimitOf, permissionsOf, redactor, type ToolCallDeps } from './loaded_tool';
import { limitProgress } from './progress_limit';
import { readOutputLine, type ToolAnswer } from './tool_answer';
import { ToolOutputLog } from './tool_output_log';

/** Runs a call as a process. Resolves once all processes of the call are dead. The signal of the call ends them. */
export async function callProcess(tool: LoadedTool, input: Omit<CallInput, 'manifest'>, deps: ToolCallDeps): Promise<ToolResult> {
  const { manifest } = tool;
  const call = { manifest, ...input };
  const settings = await deps.settings.load(manifest);
  const redact = redactor(settings.secrets);
  const log = new ToolOutputLog(manifest.name, { onInfo: deps.onInfo, redact });
  const request = createCallRequest(deps.ids.uuid(), call, settings.values);
  const output = new CallOutput(request.id, { log, redact, onProgress: limitProgress(input.ctx.onOutput) });
  const process = await deps.processes.start({
    ...permissionsOf(tool, settings),
    workspace: input.ctx.workspace.root,
    signal: input.ctx.signal,
    onLine: line => output.addLine(redact(line)),
    onErrorOutput: text => log.add(text),
  });
  process.writeLine(JSON.stringify(request));
  process.closeInput();
  const end = await process.ended;
  log.flush();
  if (end.killed !== undefined || !output.answer) {
    const { signal } = input.ctx;
    if (signal.aborted) return toFailure(describeStop(signal), call);
    const reason = end.killed === undefined && output.problem ? noUsableAnswer(output.problem) : undefined;
    return toFailure(reason ?? describeEnd(end, memoryLimitOf(manifest, deps.processes)), call);
  }
  return toToolResult(output.answer, call, input.ctx);
}

class CallOutput {
  /** The last answer on stdout. */
  answer: ToolAnswer | undefined;
  problem: Bilingual | undefined;

  constructor(
    private readonly id: string,
    private readonly options: { log: ToolOutputLog; redact: (text: string) => string; onProgress: (text: string) => void },
  ) {}

  addLine(text: string): void {
    const line = readOutputLine(text, this.options.redact);
    const isOwn = 'id' in line && (line.id === undefined || line.id === this.id);
    if (line.kind === 'ready') return;
    if (line.kind === 'progress' && isOwn) this.options.onProgress(line.text);
    else if (line.kind === 'answer' && isOwn) this.answer = line.answer;
    else {
      if (line.kind === 'invalid' && isOwn) this.problem = line.problem;
      this.options.log.add(`${text}\n`);
    }
  }
}
