/** Writes the messages that a summary replaces as a transcript for the model that summarises them. Pure. */

import { describeFile, describeImage } from '../../port/describe_image';
import { type AssistantMessage, type ChatMessage, prefaceOf, type UserMessage } from '../../port/llm';
import type { TodoItem } from '../../port/run_event';
import type { ToolLocale } from '../../tools/common';
import { clipMiddle } from '../../utils/clip_text';
import { toPlainText } from '../../utils/plain_text';
import { SUMMARY_TEXTS } from '../prompts/summary_texts';

export interface TranscriptInput {
  messages: readonly ChatMessage[];
  /** The first message of the conversation, when `messages` begins with a later one. */
  opening?: ChatMessage;
  /** The summary that the new one replaces. */
  earlier?: string;
  locale: ToolLocale;
  maxBytes: number;
}

/**
 * Limits in bytes: for one text of a person or the agent, and for one result or the arguments of one call. The first pair with which everything fits
 * is used.
 */
const LIMITS = [
  { said: 16_000, tool: 4_000 },
  { said: 4_000, tool: 1_200 },
  { said: 1_200, tool: 400 },
] as const;
const LEAST_LIMIT = { said: 600, tool: 150 };
const FRAME = 'transcript';

const MAX_FILES = 60;
/** Messages with images, and bytes of the text of each. */
const MAX_IMAGE_LINES = 20;
const MAX_QUOTED = 200;
const MAX_PATH_UNITS = 300;
const PATH_FIELDS = /^(?:(?:file|old|new|source|target|from|to)_?)?(?:path|file|name)s?$|^(?:source|destination|target|cwd|directory)$/i;
/** A path in a list of file names: something with a dot or a slash in it, and no space at its ends. */
const PATH_LIKE = /^[^\s].*[./].*[^\s]$/;
const SPILL_FILE = /\.neta\/results\/[\w./-]+\.txt/g;

/** Returns at most about `maxBytes`. The lines of a message are indented, so that no text can look like the next message. */
export function writeTranscript(input: TranscriptInput): string {
  const render = (limit: Limit) => renderAll(input, limit);
  const fitting = LIMITS.find(limit => Buffer.byteLength(render(limit)) <= input.maxBytes);
  const text = clipMiddle(render(fitting ?? LEAST_LIMIT), input.maxBytes, 0.4);
  return `<${FRAME}>\n${text}\n</${FRAME}>`;
}

type Limit = { said: number; tool: number };

function renderAll({ messages, opening, earlier, locale }: TranscriptInput, limit: Limit): string {
  const { parts } = SUMMARY_TEXTS[locale];
  const names = callNames(messages);
  const blocks = messages.flatMap(message => renderMessage(message, { limit, locale, names }));
  if (opening?.content) blocks.unshift(block(parts.person, opening.content, limit.said), parts.gap);
  if (earlier !== undefined) blocks.unshift(block(parts.summary, earlier, limit.said * 2));
  return blocks.join('\n');
}

function renderMessage(
  message: ChatMessage,
  { limit, locale, names }: { limit: Limit; locale: ToolLocale; names: ReadonlyMap<string, string> },
): string[] {
  const { parts } = SUMMARY_TEXTS[locale];
  if (message.role === 'tool')
    return [
      block(`${parts.result} ${names.get(message.tool_call_id) ?? ''}`.trim(), message.content, limit.tool),
      ...imagesOf(message).map(line => `  ${line}`),
    ];
  if (message.role === 'user') {
    const title = message.time === undefined ? parts.person : `${parts.person} ${message.time}`;
    const text = prefaceOf({ foreign: message.foreign }) + message.content;
    return [block(title, text, limit.said), ...imagesOf(message).map(line => `  ${line}`)];
  }
  if (message.role !== 'assistant') return [block(parts.person, message.content, limit.said)];
  const said = message.content ? [block(parts.agent, message.content, limit.said)] : [];
  return [...said, ...callsOf(message).map(call => block(`${parts.call} ${call.name}`, call.arguments, limit.tool))];
}

function block(title: string, text: string, maxBytes: number): string {
  const lines = toPlainText(clipMiddle(text, maxBytes, 0.6)).split('\n');
  return [title, ...lines.map(line => `  ${line}`)].join('\n');
}

const callsOf = (message: AssistantMessage) => (message.tool_calls ?? []).map(call => call.function);

/** Returns a line for each image and file of a message. */
const imagesOf = ({ images = [], files = [] }: Pick<UserMessage, 'images' | 'files'>): string[] => [
  ...images.map((image, i) => describeImage(image, i + 1)),
  ...files.map((file, i) => describeFile(file, i + 1)),
];

function callNames(messages: readonly ChatMessage[]): Map<string, string> {
  const calls = messages.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  return new Map(calls.map(call => [call.id, call.function.name]));
}

/**
 * Lists the facts that the summary must not lose, whatever the model writes: the plan, the files that calls named, and the images. '' without facts.
 */
export function renderFacts(messages: readonly ChatMessage[], todos: readonly TodoItem[], locale: ToolLocale): string {
  const { plan, files, images } = SUMMARY_TEXTS[locale];
  const paths = filesIn(messages);
  const shown = messages
    .flatMap(message => (message.role === 'user' && (message.images ?? message.files) ? [message] : []))
    .slice(-MAX_IMAGE_LINES);
  return [
    ...(todos.length > 0 ? [plan, ...todos.map(({ status, content }) => `- [${status}] ${onOneLine(content)}`)] : []),
    ...(paths.length > 0 ? [files, ...paths.map(path => `- ${path}`)] : []),
    ...(shown.length > 0
      ? [images, ...shown.map(message => `- ${onOneLine(clipMiddle(message.content, MAX_QUOTED, 0.6))} ${imagesOf(message).join(' ')}`)]
      : []),
  ].join('\n');
}

/** Returns the newest paths in the arguments of calls, and the spill files of their results, each once. */
function filesIn(messages: readonly ChatMessage[]): string[] {
  const found = new Set<string>();
  for (const message of messages.toReversed()) {
    if (found.size >= MAX_FILES) break;
    if (message.role === 'tool') for (const [path] of message.content.matchAll(SPILL_FILE)) found.add(path);
    if (message.role === 'assistant') for (const call of callsOf(message)) for (const path of pathsIn(call.arguments)) found.add(path);
  }
  return [...found].slice(0, MAX_FILES).toReversed();
}

function pathsIn(text: string): string[] {
  const args = parsed(text);
  if (typeof args !== 'object' || args === null) return [];
  const values = Object.entries(args).flatMap(([field, value]) => (PATH_FIELDS.test(field) ? [value].flat() : []));
  return values.filter((value): value is string => typeof value === 'string' && isPath(value)).map(onOneLine);
}

const isPath = (value: string): boolean => value.length <= MAX_PATH_UNITS && PATH_LIKE.test(value);

const onOneLine = (text: string): string => toPlainText(text).replace(/\s+/g, ' ');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
