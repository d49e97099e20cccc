/** Reads exports of chats: conversations.json of ChatGPT, and the JSON files of LibreChat and Open WebUI. Of a chat with branches, the current path. */

export interface ReadMessage {
  role: 'user' | 'assistant';
  content: string;
  /** ISO 8601 in UTC. */
  createdAt?: string;
}

export interface ReadChat {
  title: string;
  archived?: boolean;
  messages: ReadMessage[];
}

/** A chat of the file: read, or the reason why it cannot be. */
export type ReadResult = { chat: ReadChat } | { title: string; problem: 'no_messages' | 'too_long' | 'unknown_form' };

type Fields = Readonly<Record<string, unknown>>;

/** Limits of the gateway for one chat. */
const MAX_MESSAGES = 2_000;
const MAX_BYTES = 1_000_000;
/** A path with more steps has a circle. */
const MAX_STEPS = 20_000;
/** Milliseconds since 1970 of the first year that ISO 8601 writes with more than four digits. */
const YEAR_10000 = 253_402_300_800_000;

/** Reads the text of a file. */
export function readChatFile(text: string): readonly ReadResult[] | 'not_json' | 'unknown_form' {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'not_json';
  }
  return readChats(parsed) ?? 'unknown_form';
}

/** Reads the parsed file. Returns undefined when it is no export of one of the three programs. */
export function readChats(file: unknown): ReadResult[] | undefined {
  const rows = Array.isArray(file) ? file : [file];
  const results = rows.map(row => (isFields(row) ? readChat(row) : undefined));
  if (results.every(result => result === undefined)) return undefined;
  return results.map((result, index) => result ?? { title: titleOf(rows[index]), problem: 'unknown_form' });
}

function readChat(row: Fields): ReadResult | undefined {
  const messages = readChatGpt(row) ?? readOpenWebUi(row) ?? readLibreChat(row);
  if (!messages) return undefined;
  const title = titleOf(row);
  if (messages.length === 0) return { title, problem: 'no_messages' };
  const archived = row['is_archived'] === true || row['archived'] === true || undefined;
  const chat = { title, archived, messages };
  const isTooLong = messages.length > MAX_MESSAGES || new TextEncoder().encode(JSON.stringify(chat)).length > MAX_BYTES;
  return isTooLong ? { title, problem: 'too_long' } : { chat };
}

/** `mapping` holds the messages by id, `current_node` is the last one of the current path. */
function readChatGpt({ mapping, current_node: current }: Fields): ReadMessage[] | undefined {
  if (!isFields(mapping)) return undefined;
  const nodes = Object.values(mapping).filter(isFields);
  const last = isFields(mapping[textOf(current)]) ? textOf(current) : textOf(nodes.at(-1)?.['id']);
  const path = pathTo(last, id => fieldsAt(mapping, id), 'parent');
  return path.flatMap(({ message }) => {
    if (!isFields(message)) return [];
    const { author, content, metadata, recipient = 'all', create_time: time } = message;
    const isHidden = isFields(metadata) && metadata['is_visually_hidden_from_conversation'] === true;
    if (isHidden || recipient !== 'all' || !isFields(content) || !isFields(author)) return [];
    // Thoughts and results of tools have other types.
    if (!['text', 'multimodal_text'].includes(textOf(content['content_type']))) return [];
    const parts = Array.isArray(content['parts']) ? content['parts'] : [];
    return toMessage(author['role'], parts.filter(part => typeof part === 'string').join('\n\n'), fromSeconds(time));
  });
}

/** `chat.history.messages` holds the messages by id, `chat.history.currentId` is the last one of the current path. */
function readOpenWebUi({ chat }: Fields): ReadMessage[] | undefined {
  if (!isFields(chat)) return undefined;
  const history = isFields(chat['history']) ? chat['history'] : {};
  const byId = isFields(history['messages']) ? history['messages'] : undefined;
  const flat = Array.isArray(chat['messages']) ? chat['messages'].filter(isFields) : [];
  const path = byId ? pathTo(textOf(history['currentId']), id => fieldsAt(byId, id), 'parentId') : flat;
  const rows = path.length > 0 ? path : flat;
  return rows.flatMap(({ role, content, timestamp }) => toMessage(role, withoutThoughts(joinParts(content)), fromSeconds(timestamp)));
}

/** `messages` is a list in which each message names its parent, or a tree of `children`. */
function readLibreChat({ messages }: Fields): ReadMessage[] | undefined {
  if (!Array.isArray(messages) || !messages.every(isFields)) return undefined;
  const flat = flatten(messages);
  const byId = new Map(flat.map(message => [textOf(message['messageId']), message]));
  const last = textOf(flat.at(-1)?.['messageId']);
  const path = last === '' ? flat : pathTo(last, id => byId.get(id), 'parentMessageId');
  return path.flatMap(({ isCreatedByUser, text, content, createdAt }) => {
    const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
    return toMessage(isCreatedByUser === true ? 'user' : 'assistant', textOf(text) || joinParts(content), time);
  });
}

/** Puts the messages of a tree behind each other; the last of the list ends the newest branch. */
function flatten(messages: readonly Fields[], depth = 0): Fields[] {
  if (depth > MAX_MESSAGES) return [];
  return messages.flatMap(message => {
    const { children } = message;
    return [message, ...(Array.isArray(children) ? flatten(children.filter(isFields), depth + 1) : [])];
  });
}

/** Follows the parents from the last message to the first; returns the path, oldest first. */
function pathTo(last: string, find: (id: string) => Fields | undefined, parent: string): Fields[] {
  const path: Fields[] = [];
  for (let node = find(last); node && path.length < MAX_STEPS; node = find(textOf(node[parent]))) path.push(node);
  return path.reverse();
}

function toMessage(role: unknown, content: string, time: number): ReadMessage[] {
  if ((role !== 'user' && role !== 'assistant') || content.trim() === '') return [];
  const isTime = Number.isFinite(time) && time > 0 && time < YEAR_10000;
  return [{ role, content, createdAt: isTime ? new Date(time).toISOString() : undefined }];
}

/** The texts of a content that is a text or a list of parts. */
function joinParts(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  const texts = content.filter(isFields).map(({ text }) => (isFields(text) ? textOf(text['value']) : textOf(text)));
  return texts.filter(text => text !== '').join('\n\n');
}

const withoutThoughts = (text: string): string => text.replace(/<details type="reasoning"[\s\S]*?<\/details>\s*/g, '');

const fromSeconds = (time: unknown): number => (typeof time === 'number' ? time * 1_000 : Number.NaN);

const fieldsAt = (rows: Fields, id: string): Fields | undefined => {
  const row = rows[id];
  return isFields(row) ? row : undefined;
};

const titleOf = (row: unknown): string => (isFields(row) ? textOf(row['title']).trim().slice(0, 200) : '');

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
