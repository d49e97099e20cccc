/** Writes a chat as Markdown: the messages of the person and the agent, and one line for each tool call. */
import type { RestClient } from '../../api/rest_client';
import type { HistoryMessage, SessionSummary } from '../../api/rest_types';

/** The words of the text around the messages. */
export interface ExportWords {
  you: string;
  agent: string;
  image: string;
  exported: (when: string) => string;
}

/** The most characters of the arguments of a call. */
const MAX_ARGUMENTS = 200;
/** The most pages of messages. */
const MAX_PAGES = 500;

/** Reads all messages of a session, oldest first. Rejects like the requests. */
export async function readAllMessages(rest: Pick<RestClient, 'listMessages'>, sessionId: string): Promise<HistoryMessage[]> {
  const messages: HistoryMessage[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, nextCursor } = await rest.listMessages(sessionId, { cursor });
    messages.push(...data);
    cursor = nextCursor;
    if (!cursor) break;
  }
  return messages.reverse();
}

/** Returns the chat as Markdown. `when`: the time of the export in words. */
export function toMarkdown(title: string, messages: readonly HistoryMessage[], words: ExportWords, when: string): string {
  const parts = [`# ${title.replace(/\s+/g, ' ')}`, words.exported(when)];
  let speaker: HistoryMessage['role'] | undefined;
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'assistant') continue;
    if (message.role !== speaker) parts.push(`## ${message.role === 'user' ? words.you : words.agent}`);
    speaker = message.role;
    if (message.content.trim() !== '') parts.push(message.content.trim());
    for (const _ of message.imageUrls ?? []) parts.push(`*${words.image}*`);
    const calls = (message.toolCalls ?? []).map(call => `- \`${call.name}\` ${inline(call.arguments)}`);
    if (calls.length > 0) parts.push(calls.join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

/** Shows arguments as code on one line. Backticks inside would end the code. */
function inline(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', "'");
  return `\`${line.length > MAX_ARGUMENTS ? `${line.slice(0, MAX_ARGUMENTS)}…` : line}\``;
}

/** Returns a name for the file of a chat that every system accepts. */
export function fileNameOf({ id, title }: Pick<SessionSummary, 'id' | 'title'>, ending: string): string {
  const name = title
    .replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim();
  return `${name || id}.${ending}`;
}
