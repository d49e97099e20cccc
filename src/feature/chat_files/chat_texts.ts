/** Writes a chat as a file for people: its messages, and one line for each tool call. */
import type { AssistantMessage, ChatMessage } from '../../port/llm';
import type { MessageRecord } from '../../port/store/messages';
import type { Locale, SessionRecord } from '../../port/store/sessions';

export type ChatMessages = AsyncIterable<MessageRecord>;

/** The parts of the file beside the texts of the chat. */
export interface FileFrame {
  session: Pick<SessionRecord, 'title'>;
  locale: Locale;
  /** Milliseconds since 1970. */
  exportedAt: number;
}

const WORDS = {
  en: { you: 'You', agent: 'Agent', image: 'An image', exported: (when: string) => `Exported ${when}.` },
  'zh-CN': { you: '你', agent: '智能体', image: '一张图片', exported: (when: string) => `导出于 ${when}。` },
} as const;

/** The most characters of the arguments of a call. */
const MAX_ARGUMENTS = 200;

/** Yields the chat as Markdown. */
export async function* toMarkdown(messages: ChatMessages, { session, locale, exportedAt }: FileFrame): AsyncGenerator<string> {
  const words = WORDS[locale];
  yield `# ${oneLine(session.title)}\n\n${words.exported(minuteOf(exportedAt))}\n`;
  for await (const { speaker, text, images, calls } of spokenParts(messages)) {
    if (speaker) yield `\n## ${words[speaker]}\n`;
    if (text !== '') yield `\n${text}\n`;
    for (let i = 0; i < images; i++) yield `\n*${words.image}*\n`;
    if (calls.length > 0) yield `\n${calls.map(({ name, line }) => `- \`${name}\` \`${line.replaceAll('`', "'")}\``).join('\n')}\n`;
  }
}

const STYLE =
  'body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1d21;background:#fff}' +
  'h2{font-size:1rem;margin:2rem 0 .5rem}p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}' +
  'small,li{color:#555}code{font:.875em ui-monospace,monospace;overflow-wrap:anywhere}';

/** Yields the chat as a page of its own, to read and print. It loads nothing. */
export async function* toHtml(messages: ChatMessages, { session, locale, exportedAt }: FileFrame): AsyncGenerator<string> {
  const words = WORDS[locale];
  const title = escapeHtml(oneLine(session.title));
  yield `<!doctype html>\n<html lang="${locale}">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n`;
  yield `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
  yield `<title>${title}</title><style>${STYLE}</style></head>\n<body>\n<h1>${title}</h1>\n<small>${words.exported(minuteOf(exportedAt))}</small>\n`;
  for await (const { speaker, text, images, calls } of spokenParts(messages)) {
    if (speaker) yield `<h2>${words[speaker]}</h2>\n`;
    if (text !== '') yield `<p dir="auto">${escapeHtml(text)}</p>\n`;
    for (let i = 0; i < images; i++) yield `<p><em>${words.image}</em></p>\n`;
    const rows = calls.map(({ name, line }) => `<li><code>${escapeHtml(`${name} ${line}`)}</code></li>`);
    if (rows.length > 0) yield `<ul>${rows.join('')}</ul>\n`;
  }
  yield '</body>\n</html>\n';
}

interface SpokenPart {
  /** Present where another one begins to speak. */
  speaker?: 'you' | 'agent';
  text: string;
  /** The number of its images. */
  images: number;
  calls: readonly { name: string; line: string }[];
}

/** Leaves out the results of tools. */
async function* spokenParts(messages: ChatMessages): AsyncGenerator<SpokenPart> {
  let last: ChatMessage['role'] | undefined;
  for await (const { message } of messages) {
    if (message.role !== 'user' && message.role !== 'assistant') continue;
    const speaker = message.role === 'user' ? 'you' : 'agent';
    const images = message.role === 'user' ? (message.images?.length ?? 0) : 0;
    const calls = message.role === 'assistant' ? callsOf(message) : [];
    yield { speaker: message.role === last ? undefined : speaker, text: (message.content ?? '').trim(), images, calls };
    last = message.role;
  }
}

const callsOf = ({ tool_calls: calls = [] }: AssistantMessage): SpokenPart['calls'] =>
  calls.map(call => {
    const line = oneLine(call.function.arguments);
    return { name: call.function.name, line: line.length > MAX_ARGUMENTS ? `${line.slice(0, MAX_ARGUMENTS)}…` : line };
  });

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Such as 2026-01-31 08:00 UTC. */
const minuteOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, sign => ENTITIES[sign] ?? sign);
