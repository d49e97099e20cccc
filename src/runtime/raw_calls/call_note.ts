/** Tells the model that a call which it wrote as text did not run, and why. */
import type { ToolLocale } from '../../tools/common';
import { clipText } from '../../utils/clip_text';

/** unreadable: the text is no whole call. in_block: a call in a code block, in an answer to a message about code. */
export type CallProblem =
  | { kind: 'unreadable'; name?: string }
  | { kind: 'unknown_tool'; name: string }
  | { kind: 'bad_arguments'; name: string; reason: string; reasonZh: string }
  | { kind: 'in_block'; name: string }
  | { kind: 'too_much'; name?: string };

const MAX_REASON_UNITS = 1_500;
const MAX_NAME_UNITS = 100;

/** Returns the note for the model. It does not stay in the history. */
export function noteAbout(problem: CallProblem, locale: ToolLocale): string {
  const name = 'name' in problem && problem.name ? clipText(problem.name, MAX_NAME_UNITS) : undefined;
  return locale === 'zh-CN' ? noteInChinese(problem, name) : noteInEnglish(problem, name);
}

function noteInEnglish(problem: CallProblem, name: string | undefined): string {
  const reasons: Record<CallProblem['kind'], string> = {
    unreadable: 'it cannot be read as one complete call with valid JSON',
    unknown_tool: `there is no tool "${name}" in this run`,
    bad_arguments: 'reason' in problem ? clipReason(problem.reason) : '',
    in_block: 'it stands in a code block, which may be part of the answer',
    too_much: 'it is too long, or there are too many calls',
  };
  return [
    `[Note from the gateway] Your last answer has a tool call written as text. It was not run: ${reasons[problem.kind]}.`,
    'If you meant the call, make it now as a proper tool call; if you cannot, write <tool_call>{"name": "...", "arguments": {...}}</tool_call> outside of code blocks, with nothing behind it. If it was meant as text, finish your answer without repeating it.',
  ].join('\n');
}

function noteInChinese(problem: CallProblem, name: string | undefined): string {
  const reasons: Record<CallProblem['kind'], string> = {
    unreadable: '无法读成一个完整、JSON 有效的调用',
    unknown_tool: `本次运行没有名为“${name}”的工具`,
    bad_arguments: 'reasonZh' in problem ? clipReason(problem.reasonZh) : '',
    in_block: '它写在代码块里，可能只是回答的一部分',
    too_much: '内容过长，或者调用过多',
  };
  return [
    `[网关提示] 你上一条回答里有一个写成文字的工具调用，没有执行：${reasons[problem.kind]}。`,
    '如果确实要调用，请现在用正式的工具调用发出；做不到时，在代码块之外写 <tool_call>{"name": "...", "arguments": {...}}</tool_call>，后面不要再写别的。如果那只是文字，请把回答写完，不要重复它。',
  ].join('\n');
}

const clipReason = (reason: string): string => clipText(reason, MAX_REASON_UNITS).replace(/[.。]$/, '');
