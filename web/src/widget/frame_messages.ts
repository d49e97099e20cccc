/** The messages between <neta-chat> and the page in its frame. Each side accepts only those of the other window and its origin. */

/** Marks our messages among the others that a page gets. */
const MARK = 'neta-chat';

export interface FrameOptions {
  lang: 'en' | 'zh-CN';
  theme: 'auto' | 'light' | 'dark';
  title: string;
  /** True in a panel that can be closed, false in a box of the page. */
  isPanel: boolean;
  /** An API key; absent where the gateway needs none, or the person has logged in. */
  key?: string;
}

export type ToFrame =
  | { type: 'options'; options: FrameOptions }
  | { type: 'send'; text: string }
  /** The panel was opened by the person: the message field takes the focus. */
  | { type: 'focus' };

export type RunEnd = { sessionId: string; runId: string; state: string };

export type FromFrame =
  /** The frame is loaded and waits for its options. */
  | { type: 'hello' }
  /** The frame shows the chat. */
  | { type: 'ready' }
  | { type: 'close' }
  /** The agent waits for the person, or does not any more. */
  | { type: 'question'; isWaiting: boolean; sessionId: string; kind: 'clarification' | 'approval' }
  | ({ type: 'end' } & RunEnd);

type Marked<Message> = Message & { from: typeof MARK };

export const mark = <Message>(message: Message): Marked<Message> => ({ ...message, from: MARK });

/** Returns one of our messages; undefined for anything else. The window and origin of the sender were checked before. */
export function readMessage<Message extends ToFrame | FromFrame>(data: unknown): Message | undefined {
  const isOurs = typeof data === 'object' && data !== null && (data as Partial<Marked<Message>>).from === MARK;
  return isOurs ? (data as Message) : undefined;
}
