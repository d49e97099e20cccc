/** Turns the items of a request into the messages that a run begins with. */
import type { ChatMessage, ToolMessage, UserMessage } from '../../../port/llm';
import type { Locale } from '../../../port/store/sessions';
import type { NamedImage } from '../../../service/image/image_service';
import { requestWithoutMessage } from '../../../service/run/given_conversation';
import { refusal } from '../../../wire/refusal';
import type { ReadInput } from '../items/input_items';
import { toMessages } from '../items/item_messages';

export interface Conversation {
  /** Messages of the system and of developers, in order. */
  instructions: readonly string[];
  /** Messages up to the last one of the assistant. */
  earlier: readonly ChatMessage[];
  /** The messages after the last answer: results of calls first, then messages of people. At least one. */
  turn: readonly (ToolMessage | UserMessage)[];
  /** The text of people in `turn`; '' when `turn` holds only results. */
  text: string;
  images: readonly NamedImage[];
}

/**
 * Turns input items into messages. Throws `invalid_request` for an empty list. `locale`: language of the text that asks for the rest of a last
 * answer.
 */
export function toConversation(input: ReadInput, locale: Locale): Conversation {
  const { instructions, messages, images } = toMessages(input);
  const { earlier, turn } = splitTurn(messages, { isEmpty: input.items.length === 0, locale });
  const said = turn.flatMap(message => (message.role === 'user' ? [message.content] : []));
  return { instructions, earlier, turn, text: said.join('\n\n'), images };
}

function splitTurn(
  messages: readonly ChatMessage[],
  { isEmpty, locale }: { isEmpty: boolean; locale: Locale },
): Pick<Conversation, 'earlier' | 'turn'> {
  const start = messages.findLastIndex(message => message.role === 'assistant') + 1;
  const turn = messages.slice(start).filter(message => message.role === 'tool' || message.role === 'user');
  if (turn.length === 0 && !isEmpty) turn.push(requestWithoutMessage(start > 0, locale));
  if (isEmpty) throw refusal('/input', 'must be a text, or at least one item', '必须是文本，或至少一个条目');
  const results = turn.filter(message => message.role === 'tool');
  return { earlier: messages.slice(0, start), turn: [...results, ...turn.filter(message => message.role === 'user')] };
}
