/** Ids of conversations: a conversation is a session, and its id is the session's with a prefix. */
import { AppError } from '../../../errors';

const PREFIX = 'conv_';

/** Returns the id of the conversation that a session is. */
export const toConversationId = (sessionId: string): string => `${PREFIX}${sessionId}`;

/** Returns the id of the session. Throws `not_found` for a text that is no id of a conversation. `param`: the field that names it. */
export function sessionOfConversation(conversationId: string, param?: string): string {
  if (/^conv_[A-Za-z0-9_-]{1,64}$/.test(conversationId)) return conversationId.slice(PREFIX.length);
  throw noConversation(param);
}

/** Creates the error for a conversation that does not exist. */
export const noConversation = (param = '/conversation_id'): AppError =>
  new AppError('not_found', { param, message: 'There is no such conversation.', messageZh: '没有这个对话。' });
