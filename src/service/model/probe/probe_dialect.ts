/** The questions that find out fields of models.yaml: the field for the length of answers, the dialect, and the fields for thinking levels. */
import { type DialectName, dialectOf } from '../../../port/dialects';
import type { ChatMessage, LlmAnswer, WireTool } from '../../../port/llm';
import { apiOf } from '../../../port/model_apis';
import { type ReasoningStyle, toReasoning } from '../models_file';
import { type Finding, no, type ProbeCall, refusal, say, shown, yes } from './probe_call';

/** The smallest limit that all servers take. */
const FEW_TOKENS = 16;
const LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** Asks with the field that the gateway chooses by itself, then with the others. */
export async function askWithLimit(call: ProbeCall): Promise<Finding> {
  const fields = isChat(call) ? [undefined, ...LIMIT_FIELDS] : [undefined];
  let first: Finding | undefined;
  for (const maxTokensField of fields) {
    const finding = await askForLongAnswer(call, maxTokensField).catch(refusal);
    first ??= finding;
    if (!finding.ok) continue;
    if (maxTokensField !== undefined) call.found.maxTokensField = maxTokensField;
    return yes(maxTokensField ?? '');
  }
  return first ?? no('');
}

async function askForLongAnswer(call: ProbeCall, maxTokensField: (typeof LIMIT_FIELDS)[number] | undefined): Promise<Finding> {
  const messages = say('Count from 1 to 200, with commas between the numbers.');
  const answer = await call.ask({ messages, parameters: { maxOutputTokens: FEW_TOKENS } }, { maxTokensField });
  return answer.finishReason === 'length' ? yes() : no(shown(answer));
}

/** Dialects whose conversations differ most: ids of nine characters, thoughts and signatures that a server demands, no further fields. */
const OTHER_DIALECTS: readonly DialectName[] = ['mistral', 'deepseek', 'gemini', 'openai'];

export interface MovedConversation {
  tool: WireTool;
  result: string;
  isRight: (answer: LlmAnswer) => Finding;
}

/** Shows the model a call that another server made. Finds the dialect in which the server takes the conversation. */
export async function askMovedConversation(call: ProbeCall, { tool, result, isRight }: MovedConversation): Promise<Finding> {
  const id = 'call_A7f0QkZ3mW9xB2nL5pT8vR1c';
  const messages: ChatMessage[] = [
    ...say('Use the tool: how warm is it in Bern?'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: tool.function.name, arguments: '{"city":"Bern"}' } }],
    },
    { role: 'tool', tool_call_id: id, content: `${result} degrees` },
  ];
  const { definition } = call;
  const usual = isChat(call) ? dialectOf(definition).name : undefined;
  const dialects = usual === undefined ? [undefined] : [undefined, ...OTHER_DIALECTS.filter(name => name !== usual)];
  let first: Finding | undefined;
  for (const dialect of dialects) {
    try {
      const finding = isRight(await call.ask({ messages, tools: [tool] }, { dialect: dialect ?? definition.dialect }));
      if (dialect !== undefined) call.found.dialect = dialect;
      // A wrong answer says nothing about the dialect: the server took the request.
      return finding.ok ? yes(dialect ?? usual ?? '') : finding;
    } catch (thrown) {
      first ??= refusal(thrown);
    }
  }
  return first ?? no('');
}

/** `none` is the last: a server that refuses the fields of thinking levels gets none of them. */
const OTHER_STYLES: readonly ReasoningStyle[] = ['thinking', 'enable_thinking'];

/** Asks with the fields that the model has now, then, of a server of chat completions, with those of others. */
export async function askForThoughts(call: ProbeCall): Promise<Finding> {
  const own = await askToThink(call, call.definition.reasoning).catch(refusal);
  if (own.ok || !isChat(call)) return own;
  for (const style of OTHER_STYLES) {
    const finding = await askToThink(call, toReasoning(style)).catch(refusal);
    if (!finding.ok) continue;
    call.style = style;
    return yes(style);
  }
  if (own.isRefused) call.style = 'none';
  return own;
}

async function askToThink(call: ProbeCall, reasoning: ProbeCall['definition']['reasoning']): Promise<Finding> {
  const messages = say('Is 8,633 a prime number? Think, then answer with yes or no.');
  const { reasoning: thoughts, usage } = await call.ask({ messages, thinkingLevel: 'low' }, { reasoning });
  const tokens = usage?.reasoningTokens ?? 0;
  if (thoughts !== '') return yes();
  return tokens > 0 ? yes({ en: `${tokens} tokens, not shown`, 'zh-CN': `${tokens} 个 token，不显示` }) : no('');
}

const isChat = ({ definition }: ProbeCall): boolean => apiOf(definition) === 'chat';
