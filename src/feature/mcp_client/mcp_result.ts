/** Converts the result of a server into the result of a tool: bounded text for the model, and data for programs. */
import { imageTypeOf, MAX_ALL_IMAGE_BYTES } from '../../port/image_input';
import type { McpCallResult, McpContent } from '../../port/mcp';
import { errorResult, inLocale, type ToolContext, type ToolImage, type ToolResult, textResult } from '../../tools/common';
import { untrustedServerText } from '../../tools/untrusted_text';
import { clipText } from '../../utils/clip_text';
import { formatBytes } from '../../utils/format_bytes';

/** The runner truncates further and keeps this much in a file. */
const MAX_TEXT_UNITS = 400_000;
const MAX_URI_UNITS = 500;
/** Base64 and texts that programs get. */
const MAX_DATA_UNITS = 4 * 1024 * 1024;
/** The result for an app, which is stored with the call. */
const MAX_APP_UNITS = 64_000;

export interface ResultSource {
  server: string;
  /** Questions that the server asked and that no person could answer. */
  unasked: readonly string[];
  /** True when a question was declined because it could have come from a call of another session. */
  hasUnclearQuestion: boolean;
  /** Address of the app that shows the call. */
  appUri?: string | undefined;
  redact: (text: string) => string;
}

export function toToolResult(
  result: McpCallResult,
  { server, unasked, hasUnclearQuestion, appUri, redact }: ResultSource,
  ctx: Pick<ToolContext, 'locale' | 'attachesImages'>,
): ToolResult {
  const images = new Map(ctx.attachesImages ? result.content.flatMap(part => imageOf(part) ?? []) : []);
  const parts = result.content.map(part => (images.has(part) ? attachedText(part, ctx) : describePart(part, ctx)));
  const structured = result.structured && redact(JSON.stringify(result.structured));
  // Servers repeat structured content as text, so it is added only when there is no text.
  if (structured !== undefined && parts.length === 0) parts.push(structured);
  const text = clipText(redact(parts.join('\n')), MAX_TEXT_UNITS);
  const body =
    text === '' ? inLocale(ctx, 'The server sent an empty result.', '服务器返回了空结果。') : untrustedServerText(text, server, ctx);
  const notes = [...unasked.map(question => notAsked(question, server, ctx)), ...(hasUnclearQuestion ? [notAttributed(ctx)] : [])];
  const content = [body, ...notes].join('\n');
  const app = appUri === undefined ? undefined : { uri: appUri, result: toAppResult(result, redact) };
  const details = { server, unasked: unasked.length > 0 ? [...unasked] : undefined, app };
  const attached = images.size > 0 ? { images: [...images.values()] } : {};
  if (result.isError) return { ...errorResult(content, details), ...attached };
  return { ...textResult(content, details, toData(result, redact)), ...attached };
}

/** Decodes an image of a kind that models see; the runner holds it to its limits. */
function imageOf(part: McpContent): [McpContent, ToolImage][] | undefined {
  if (part.type !== 'image' || part.bytes > MAX_ALL_IMAGE_BYTES) return undefined;
  const bytes = Buffer.from(part.base64, 'base64');
  const mediaType = imageTypeOf(bytes);
  return mediaType && [[part, { mediaType, bytes }]];
}

function attachedText(part: McpContent, ctx: Pick<ToolContext, 'locale'>): string {
  const { mimeType, bytes } = part.type === 'image' ? part : { mimeType: '', bytes: 0 };
  const kind = `${mimeType.slice(0, 100) || '?'}, ${formatBytes(bytes)}`;
  return inLocale(ctx, `[The server sent an image (${kind}), which is attached.]`, `[服务器返回了一张图片（${kind}），已附上。]`);
}

/** Describes one part in words. Base64 would fill the context of the model and tell it nothing. */
function describePart(part: McpContent, ctx: Pick<ToolContext, 'locale'>): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return part.type === 'image' ? mediaText(part, ['an image', '一张图片'], ctx) : mediaText(part, ['a recording', '一段音频'], ctx);
    case 'resource': {
      const { uri, text, mimeType = '', bytes = 0 } = part;
      const head = `[${inLocale(ctx, 'Resource', '资源')} ${shortUri(uri)}${mimeType && ` (${mimeType.slice(0, 100)})`}]`;
      if (text !== undefined) return `${head}\n${text}`;
      return `${head} ${inLocale(ctx, `${formatBytes(bytes)} of binary data, not shown here.`, `${formatBytes(bytes)} 二进制数据，此处不显示。`)}`;
    }
    case 'link': {
      const words = [part.name, part.description].filter(Boolean).join(': ');
      return `[${inLocale(ctx, 'Link', '链接')} ${shortUri(part.uri)}] ${words}`.trim();
    }
    case 'other':
      return inLocale(ctx, `[A part of an unknown kind: ${part.name.slice(0, 50)}]`, `[未知类型的内容：${part.name.slice(0, 50)}]`);
  }
}

function mediaText(
  { mimeType, bytes }: { mimeType: string; bytes: number },
  [en, zhCN]: readonly [en: string, zhCN: string],
  ctx: Pick<ToolContext, 'locale'>,
): string {
  const kind = `${mimeType.slice(0, 100) || '?'}, ${formatBytes(bytes)}`;
  return inLocale(
    ctx,
    `[The server sent ${en} (${kind}). Its content cannot be shown here.]`,
    `[服务器返回了${zhCN}（${kind}），此处无法显示其内容。]`,
  );
}

const shortUri = (uri: string): string => clipText(uri, MAX_URI_UNITS);

function notAsked(question: string, server: string, ctx: Pick<ToolContext, 'locale'>): string {
  return inLocale(
    ctx,
    `[While it ran, the server asked the person a question. Nobody can be asked in this run, so it was declined:]\n${untrustedServerText(question, server, ctx)}`,
    `[执行期间，服务器向用户提出了一个问题。本次运行无法询问任何人，因此已拒绝：]\n${untrustedServerText(question, server, ctx)}`,
  );
}

const notAttributed = (ctx: Pick<ToolContext, 'locale'>): string =>
  inLocale(
    ctx,
    '[While it ran, the server asked a question that may belong to a call of another session, so it was declined. If the call needs an answer of the person, make it again in about 10 s.]',
    '[执行期间，服务器提出了一个可能属于其他会话调用的问题，因此已拒绝。如果此次调用需要用户回答，请在约 10 秒后重新调用。]',
  );

/**
 * `blocks`: the parts as the server sent them, with base64. Parts that would exceed the limit, and parts that removing a secret would break, are left
 * out and counted in `omitted`.
 */
function toData({ content, structured }: McpCallResult, redact: (text: string) => string): Record<string, unknown> {
  let left = MAX_DATA_UNITS;
  const read = (value: unknown): unknown => {
    const text = redact(JSON.stringify(value));
    left -= text.length;
    return left >= 0 ? parsed(text) : undefined;
  };
  const blocks = content.map(read).filter(block => block !== undefined);
  const shown = structured && read(structured);
  return {
    blocks,
    omitted: blocks.length < content.length ? content.length - blocks.length : undefined,
    structured: shown,
  };
}

/** Returns the result for the app of the tool as the protocol writes it: texts and structured content. Undefined when it is too long. */
function toAppResult({ content, structured, isError }: McpCallResult, redact: (text: string) => string): unknown {
  const texts = content.filter(({ type }) => type === 'text');
  const text = redact(JSON.stringify({ content: texts, structuredContent: structured, isError: isError || undefined }));
  return text.length <= MAX_APP_UNITS ? parsed(text) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
