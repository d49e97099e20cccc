/** Writes a chat as one file. */
import type { Clock } from '../../port/clock';
import type { MessageRecord } from '../../port/store/messages';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import type { ExportedItem } from '../../service/session/data_export';
import { clipStart } from '../../utils/clip_text';
import { toWireMessage, toWireSession } from '../../wire/wire_records';
import { type ChatMessages, toHtml, toMarkdown } from './chat_texts';
import type { ChatFormat } from './schemas';

type FileFormat = Exclude<ChatFormat, 'lines'>;

export interface ChatFile {
  name: string;
  /** Content-Type of the text. */
  type: string;
  text: AsyncIterable<string>;
}

const FORMS: Readonly<Record<FileFormat, { ending: string; type: string }>> = {
  json: { ending: 'json', type: 'application/json; charset=utf-8' },
  markdown: { ending: 'md', type: 'text/markdown; charset=utf-8' },
  html: { ending: 'html', type: 'text/html; charset=utf-8' },
};

export class ChatExporter {
  constructor(private readonly deps: { clock: Clock }) {}

  /** Returns the file, which is written while it is read. `items`: the export of the session. */
  toFile(session: SessionRecord, items: AsyncIterable<ExportedItem>, { format, locale }: { format: FileFormat; locale: Locale }): ChatFile {
    const { ending, type } = FORMS[format];
    const messages = messagesOf(items);
    const frame = { session, locale, exportedAt: this.deps.clock.now() };
    const texts = {
      json: () => toJson(toWireSession(session), messages),
      markdown: () => toMarkdown(messages, frame),
      html: () => toHtml(messages, frame),
    };
    return { name: `${fileNameOf(session.title) || session.id}.${ending}`, type, text: texts[format]() };
  }
}

/** Yields the messages of the session itself, which come first; those of its child runs do not belong to the chat. */
async function* messagesOf(items: AsyncIterable<ExportedItem>): AsyncGenerator<MessageRecord> {
  for await (const item of items) {
    if (item.type === 'message') yield item.record;
    else if (item.type !== 'session') return;
  }
}

async function* toJson(session: object, messages: ChatMessages): AsyncGenerator<string> {
  yield `{"session":${JSON.stringify(session)},"messages":[`;
  let separator = '\n';
  for await (const message of messages) {
    yield `${separator}${JSON.stringify(toWireMessage(message))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Returns a name that every system accepts, without its ending; '' when nothing of the title remains. */
const fileNameOf = (title: string): string =>
  clipStart(
    title
      .toWellFormed()
      .replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ')
      .trim(),
    60,
  ).trim();
