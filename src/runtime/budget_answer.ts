/** The answer of a turn whose budget allows no further model call: made from what the turn has, without a model. */
import type { ChatMessage } from '../port/llm';
import { inLocale } from '../tools/common';
import { clipText } from '../utils/clip_text';
import type { AgentRunParams } from './agent_run';
import type { SpentLimit } from './run_spending';

/** Characters of the text that the model said last, and of the last tool result. */
const MAX_SAID = 4_000;
const MAX_RESULT = 1_000;

const LIMIT_NAMES: Readonly<Record<SpentLimit, [en: string, zhCN: string]>> = {
  maxTokens: ['the tokens of this run', '本次运行的 token'],
  maxCostUsd: ['the money for this run', '本次运行的费用额度'],
  maxToolCalls: ['the tool calls of this run', '本次运行的工具调用次数'],
  tokensPerDay: ['the tokens of this day', '今天的 token 额度'],
  costPerDayUsd: ['the money for this day', '今天的费用额度'],
};

/** Shows the answer and returns it. It becomes a message of the history together with the end of the run. */
export function answerWithoutModel({ history, locale, journal }: AgentRunParams, limit: SpentLimit): string {
  const ctx = { locale };
  const [en, zh] = LIMIT_NAMES[limit];
  const turn = history.slice(history.findLastIndex(message => message.role === 'user'));
  const said = turn.findLast(message => message.role === 'assistant' && message.content?.trim())?.content ?? '';
  const result = turn.findLast(message => message.role === 'tool')?.content ?? '';
  const calls = callsOf(turn);
  const parts = [
    inLocale(
      ctx,
      `Stopped before the work was done: ${en} are used up (${limit}). This summary was made without the model.`,
      `工作尚未完成就已停止：${zh}已用完（${limit}）。以下内容未经模型整理。`,
    ),
    said && `${inLocale(ctx, 'Said so far:', '目前的回答：')}\n${clipText(said, MAX_SAID, ctx.locale)}`,
    calls && `${inLocale(ctx, 'Tool calls so far:', '已进行的工具调用：')} ${calls}`,
    result && `${inLocale(ctx, 'Last result:', '最后的结果：')}\n${clipText(result, MAX_RESULT, ctx.locale)}`,
  ];
  const text = parts.filter(part => part !== '').join('\n\n');
  journal.delta({ type: 'text_delta', data: { text } });
  return text;
}

/** Lists the names of the called tools, each with its number of calls, in the order of their first calls. */
function callsOf(turn: readonly ChatMessage[]): string {
  const counts = new Map<string, number>();
  const calls = turn.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  for (const { function: called } of calls) counts.set(called.name, (counts.get(called.name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(', ');
}
