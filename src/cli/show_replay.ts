/** Shows a replay at the terminal: one line for each thing that is compared, then the diffs. */
import type { Replay } from '../../clients/typescript/src/types';
import type { Bilingual } from '../utils/bilingual';
import { showInvisible } from '../utils/invisible_text';
import type { Invocation } from './command';
import { withoutControls } from './output';

type Result = Replay['result'];
type Part = NonNullable<Replay['requests'][number]['changed']>[number];

const RESULTS: Record<Result, Bilingual> = {
  same: { en: 'same', 'zh-CN': '相同' },
  different: { en: 'different', 'zh-CN': '不同' },
  failed: { en: 'failed', 'zh-CN': '失败' },
};
const RESULT_STYLES = { same: 'green', different: 'yellow', failed: 'red' } as const;
const PARTS: Record<Part, Bilingual> = {
  prompt: { en: 'prompt', 'zh-CN': '提示词' },
  tools: { en: 'tools', 'zh-CN': '工具' },
  messages: { en: 'messages', 'zh-CN': '消息' },
};
const DIFFERENCES: Record<Replay['differences'][number], Bilingual> = {
  status: { en: 'the end', 'zh-CN': '结束方式' },
  answer: { en: 'the answer', 'zh-CN': '回答' },
  calls: { en: 'the tool calls', 'zh-CN': '工具调用' },
  events: { en: 'the events of the log', 'zh-CN': '日志中的事件' },
};
const WORDS = {
  differs: { en: 'differs', 'zh-CN': '有差异' },
  recordedAnswers: { en: 'recorded answers', 'zh-CN': '录制的回答' },
  changed: { en: 'request changed', 'zh-CN': '请求有改动' },
  unrecorded: { en: 'request not recorded', 'zh-CN': '请求未录制' },
  status: { en: 'status', 'zh-CN': '状态' },
  tokens: { en: 'tokens', 'zh-CN': 'token' },
  cost: { en: 'cost', 'zh-CN': '费用' },
  promptDiff: { en: 'Prompt', 'zh-CN': '提示词' },
  answerDiff: { en: 'Answer', 'zh-CN': '回答' },
  notRecorded: { en: 'not in the recording', 'zh-CN': '录制中没有' },
} satisfies Record<string, Bilingual>;
const MARKS = { same: '=', added: '+', removed: '-' } as const;
const MAX_ARGUMENTS = 100;

export function showReplay(replay: Replay, { output, language }: Invocation): void {
  const say = (text: Bilingual) => text[language];
  const { result, agent, model, recorded, replayed } = replay;
  output.line(`${output.styled(RESULT_STYLES[result], say(RESULTS[result]))} · ${agent} · ${model ?? say(WORDS.recordedAnswers)}`);
  if (replay.differences.length > 0)
    output.line(`${say(WORDS.differs)}: ${replay.differences.map(part => say(DIFFERENCES[part])).join(', ')}`);
  for (const line of requestLines(replay, say)) output.line(line);
  for (const { state, name, arguments: text, source } of replay.calls) {
    const shown = showInvisible(text.length > MAX_ARGUMENTS ? `${text.slice(0, MAX_ARGUMENTS)}…` : text);
    output.line(`${MARKS[state]} ${name} ${shown}${source === 'none' ? ` (${say(WORDS.notRecorded)})` : ''}`);
  }
  if (replay.differences.includes('status')) output.line(`${say(WORDS.status)}: ${endOf(recorded)} -> ${endOf(replayed)}`);
  output.line(
    `${say(WORDS.tokens)}: ${tokensOf(recorded)} -> ${tokensOf(replayed)} · ${say(WORDS.cost)}: ${costOf(recorded)} -> ${costOf(replayed)}`,
  );
  if (replayed.error) output.line(withoutControls(`${replayed.error.code}: ${replayed.error.message}`));
  for (const [title, diff] of [
    [WORDS.promptDiff, replay.promptDiff],
    [WORDS.answerDiff, replay.answerDiff],
  ] as const)
    if (diff !== undefined) output.line(`\n${output.styled('bold', say(title))}\n${withoutControls(diff)}`);
}

const endOf = ({ status, reason }: Replay['recorded']): string => (reason === undefined ? status : `${status} (${reason})`);
const tokensOf = ({ usage }: Replay['recorded']): number => usage.inputTokens + usage.outputTokens;
const costOf = ({ usage }: Replay['recorded']): string => (usage.costUsd === undefined ? '-' : `$${usage.costUsd}`);

function requestLines({ requests }: Replay, say: (text: Bilingual) => string): string[] {
  return requests.flatMap(({ state, changed = [] }, i) => {
    if (state === 'same') return [];
    if (state === 'unrecorded') return [`${i + 1}: ${say(WORDS.unrecorded)}`];
    return [`${i + 1}: ${say(WORDS.changed)} (${changed.map(part => say(PARTS[part])).join(', ')})`];
  });
}
