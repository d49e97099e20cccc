/** A tool call on its way from the answer of the model to its result: resolved, then approved, then run. */
import type { TaintSource } from '../port/run_event';
import type { AgentTool, ToolResult } from '../tools/common';

export interface ResolvedCall {
  id: string;
  name: string;
  tool?: AgentTool;
  /** Parsed arguments. The raw text when it is not JSON, and when the call is refused and the text is long. */
  args: unknown;
  /** Present when the call must not run: the result that the call gets in place of a result of the tool. */
  refusal?: ToolResult;
  /** Earlier calls whose results this call could send outside, or whose text it keeps. */
  taint?: readonly TaintSource[];
  /** The kept text that the call removes or replaces, when `taint` is set for it. */
  removed?: string;
  /** Text for the model that stands before the result. */
  note?: string;
}
