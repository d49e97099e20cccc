/** Decides which of the calls in an answer are meant and valid. */

import { MAX_ARGUMENT_DEPTH } from '../../tools/meant_arguments';
import { validateArguments } from '../../tools/validation';
import { isDeeperThan } from '../../utils/json_depth';
import { asksForCallForm, isIntroducedAsExample, readCodeWish } from './asked_for_code';
import type { CallProblem } from './call_note';
import { type CallSources, lastRequest, toToolName } from './call_sources';
import type { CallSpan } from './find_calls';
import { isQuotedCall } from './quoted_call';
import { toTypedArguments } from './typed_arguments';
import type { WrittenCall } from './written_call';

/** The arguments are the JSON text of an object that the tool accepts. */
export interface ValidCall {
  name: string;
  arguments: string;
}

/** ordinary: the text is no call, and the model is not told about it. */
export type Verdict = { calls: ValidCall[] } | { problem: CallProblem } | 'ordinary';

const MAX_ARGUMENT_UNITS = 1024 * 1024;

/** Judges one span of `text`. All of its calls run, or none. */
export function judgeSpan(text: string, span: CallSpan, { findTool, history }: CallSources): Verdict {
  const request = lastRequest(history);
  const before = text.slice(0, span.start);
  if (isIntroducedAsExample(before)) return 'ordinary';
  const isMarked = span.kind === 'marker' || span.kind === 'action';
  if (isMarked && asksForCallForm(request)) return 'ordinary';
  const wish = isMarked ? 'none' : readCodeWish(request);
  if (wish === 'show') return 'ordinary';
  if (span.calls.length > 0 && isQuotedCall(text.slice(span.start, span.end), span.calls, history)) return 'ordinary';
  if (span.calls.length === 0) return { problem: { kind: 'unreadable' } };
  const checked = span.calls.map(call => checkCall(call, findTool));
  const bad = checked.find((result): result is { problem: CallProblem } => 'problem' in result);
  if (bad) return bad;
  if (wish === 'mention') return { problem: { kind: 'in_block', name: toToolName(span.calls[0]?.name ?? '') } };
  return { calls: checked.flatMap(result => ('problem' in result ? [] : [result])) };
}

function checkCall(call: WrittenCall, findTool: CallSources['findTool']): ValidCall | { problem: CallProblem } {
  const name = toToolName(call.name);
  const tool = findTool(name);
  if (!tool) return { problem: { kind: 'unknown_tool', name } };
  const isHarmless = tool.effect === 'read' || tool.effect === 'idempotent';
  if (call.isRepaired && !isHarmless) return { problem: { kind: 'unreadable', name } };
  const args = isTexts(call.args) ? toTypedArguments(tool, call.args.texts) : call.args;
  // A schema in place of arguments is the definition of a tool.
  if (args['type'] === 'object' && typeof args['properties'] === 'object') return { problem: { kind: 'unreadable', name } };
  const valid = validateArguments(tool, args);
  if (!valid.ok) return { problem: { kind: 'bad_arguments', name, reason: valid.message, reasonZh: valid.messageZh } };
  const written = JSON.stringify(valid.value);
  if (written.length > MAX_ARGUMENT_UNITS || isDeeperThan(written, MAX_ARGUMENT_DEPTH)) return { problem: { kind: 'too_much', name } };
  return { name, arguments: written };
}

const isTexts = (args: WrittenCall['args']): args is { texts: ReadonlyMap<string, string> } => args['texts'] instanceof Map;
