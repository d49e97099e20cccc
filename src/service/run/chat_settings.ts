/** Applies the settings of a chat to its runs: adds the instructions of the person to the prompt, and refuses tools that keep a text in a temporary chat. */
import { promptPartsOf, type SystemMessage, systemMessageOf } from '../../port/llm';
import type { RunRecord } from '../../port/store/runs';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import { promptTexts } from '../../runtime/prompt_guidance';
import { outputInstructions } from '../../runtime/structured_output';
import type { AgentTool } from '../../tools/common';

/**
 * Adds the instructions of the person for the chat and those of the calling program behind the prompt, each marked as words of its author and not as
 * rules of the gateway; behind them the form that the answer of the run must have.
 */
export function withInstructions(
  message: SystemMessage,
  { locale, caller, outputSchema }: Pick<RunRecord, 'locale' | 'caller' | 'outputSchema'>,
  session: Pick<SessionRecord, 'instructions'> | undefined,
): SystemMessage {
  const { chatInstructions, callerInstructions } = promptTexts(locale);
  const texts = [block(chatInstructions, session?.instructions), block(callerInstructions, caller?.instructions)];
  const blocks = [...texts, outputSchema ? outputInstructions(outputSchema, locale) : ''].filter(text => text !== '');
  if (blocks.length === 0) return message;
  return systemMessageOf([...(promptPartsOf(message) ?? [{ text: message.content }]), ...blocks.map(text => ({ text: `\n\n${text}` }))]);
}

const block = ({ title, intro }: { title: string; intro: string }, text: string | undefined): string =>
  text === undefined ? '' : [title, intro, '', text].join('\n');

/** Returns why a call that keeps a text for later chats is refused in a temporary chat; undefined when it is not. `args`: absent when they are not valid. */
export function temporaryRefusal(
  session: Pick<SessionRecord, 'temporary'> | undefined,
  { tool, args }: { tool: Pick<AgentTool, 'memory' | 'keepsText'> | undefined; args: unknown },
  locale: Locale,
): string | undefined {
  if (!session?.temporary || !tool) return undefined;
  if (tool.memory !== 'keeps' && (args === undefined || !tool.keepsText?.(args))) return undefined;
  return locale === 'zh-CN'
    ? '这是临时对话，不会为以后保存任何内容。请继续，不要保存。'
    : 'This chat is temporary: nothing of it is kept for later chats. Go on without saving.';
}
