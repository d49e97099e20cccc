/** Resolves a tool call before it runs: finds the tool, parses and validates the arguments, or refuses with a reason for the model. */
import { UNNAMED_CALL, type WireToolCall } from '../../port/llm';
import type { TaintSource } from '../../port/run_event';
import { type AgentTool, errorResult, type ToolResult } from '../../tools/common';
import { validateArguments } from '../../tools/validation';
import { clipText } from '../../utils/clip_text';
import type { AssembledTools } from '../tool_assembler';
import { parseArguments, repairName } from './argument_repair';

export interface ResolvedCall {
  id: string;
  name: string;
  tool?: AgentTool;
  /** Parsed arguments. The raw text when it is not JSON, and when the call is refused and the text is long. */
  args: unknown;
  /** Present when the call must not run: the result that it gets instead. */
  refusal?: ToolResult;
  /** Earlier calls whose results this one could send outside, or whose text it keeps. */
  taint?: readonly TaintSource[];
  /** The kept text that the call removes or replaces, when `taint` is set for it. */
  removed?: string;
  /** Text for the model before the result. */
  note?: string;
}

const MAX_WALKED_UNITS = 100_000;
const MAX_QUOTED_UNITS = 1_000;

/** Returns true when the call may have changed the workspace, the session or the world outside. */
export const mayChangeState = ({ tool }: Pick<ResolvedCall, 'tool'>): boolean => tool?.effect === 'write' || tool?.effect === 'external';

/** Finds the tool and checks the arguments. Never throws. */
export function resolveCall(call: WireToolCall, tools: AssembledTools): ResolvedCall {
  const { name: givenName, arguments: text } = call.function;
  const isKnown = tools.byName.has(givenName) || tools.addLeftOut?.(givenName) === true;
  const name = isKnown ? givenName : (repairName(givenName, tools) ?? givenName);
  const tool = tools.byName.get(name);
  const parsed = parseArguments(text);
  const found = { id: call.id, name, ...(tool && { tool }), args: parsed.ok ? parsed.value : text };
  // Refused arguments are only displayed. The raw text of long ones avoids walking 100,000 keys, which takes 0.1 s.
  const shown = text.length > MAX_WALKED_UNITS ? { ...found, args: text } : found;
  const refuse = (message: string): ResolvedCall => ({ ...shown, refusal: errorResult(message) });
  if (!tool) {
    const known = tools.names.length > 0 ? `Available tools: ${tools.names.join(', ')}.` : 'No tools are available in this run.';
    return refuse(givenName === UNNAMED_CALL ? `This call names no tool. ${known}` : `There is no tool "${clipText(name, 100)}". ${known}`);
  }
  if (!parsed.ok) return refuse(`The arguments of ${name} are not valid JSON: ${parsed.message}. ${askToResend(text)}`);
  if (!isObject(parsed.value)) return refuse(`The arguments of ${name} must be a JSON object. ${askToResend(text)}`);
  const valid = validateArguments(tool, parsed.value);
  if (!valid.ok) return refuse(valid.message);
  const isHarmless = tool.effect === 'read' || tool.effect === 'idempotent';
  if (parsed.isRepaired && !isHarmless) {
    const meant = clipText(JSON.stringify(valid.value), 2_000);
    return refuse(`Not run: the arguments of ${name} are not valid JSON. If you meant ${meant}, send the call again with that.`);
  }
  return { ...found, args: valid.value, ...(parsed.isRepaired && { note: readAs(valid.value) }) };
}

/** Quotes the sent text, because the model sees `{}` in its own history. */
const askToResend = (text: string): string => `Send one JSON object. You sent: ${clipText(text, MAX_QUOTED_UNITS)}`;

const readAs = (args: unknown): string =>
  `[The arguments were not valid JSON; they were read as ${clipText(JSON.stringify(args), MAX_QUOTED_UNITS)}]`;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
