import { type Static, Type } from '@sinclair/typebox';
import type { DecodedText } from '../../port/decoded_text';
import { imageTypeOf, MAX_IMAGE_BYTES } from '../../port/image_input';
import { clipStart } from '../../utils/clip_text';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolImage, type ToolResult, textResult } from '../common';
import { decodeFile } from '../decode_file';
import { onExistingPath } from '../look_alike_path';
import { encodingName } from '../text_codec';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { MAX_FILE_BYTES, notTextRefusal } from '../workspace_refusal';

const DEFAULT_LINES = 2_000;
/** The most bytes of one page: below the runner's limit of a result, so that no page is truncated. */
const MAX_TEXT_BYTES = 96 * 1024;
const MAX_LINE_UNITS = 2_000;

const ReadFileParameters = Type.Object(
  {
    path: pathParameter('File to read'),
    offset: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to show, counted from 1. Default 1' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: `How many lines to show. Default ${DEFAULT_LINES}` })),
  },
  { additionalProperties: false },
);
type ReadFileParameters = Static<typeof ReadFileParameters>;

export const readFileTool = defineTool({
  name: 'read_file',
  toolset: 'base',
  label: 'Read file',
  description:
    'Reads a text file of the workspace. Use it before you change a file and whenever you need its content; never answer from memory. ' +
    'Each line comes as NUMBER|TEXT; number and bar are not part of the file. ' +
    `Shows up to ${DEFAULT_LINES} lines or ${formatBytes(MAX_TEXT_BYTES)} at a time and says how to read on with offset; lines over ${MAX_LINE_UNITS} characters are truncated. ` +
    `Attaches an image (png, jpeg, webp, gif; at most ${formatBytes(MAX_IMAGE_BYTES)}) for a model that can see. ` +
    `Refuses other binary files and files over ${formatBytes(MAX_FILE_BYTES)}.`,
  whenToUse: [
    {
      en: 'You need to know what a file contains → read_file; never answer from memory or guess.',
      'zh-CN': '要知道文件里写了什么 → read_file；不要凭记忆，也不要猜。',
    },
  ],
  beforeUse: [
    {
      en: 'Look at a file with read_file before you change it.',
      'zh-CN': '改文件之前，先用 read_file 看清它现在的内容。',
      needs: ['workspace:change'],
    },
  ],
  promptOrder: 10,
  effect: 'read',
  reads: 'private',
  workspace: 'read',
  translations: {
    'zh-CN': {
      label: '读取文件',
      description:
        '读取工作区中的文本文件。修改文件之前、以及需要其内容时都应使用，不要凭记忆回答。' +
        '每行以“行号|文本”的形式给出，行号和竖线不属于文件内容。' +
        `每次最多显示 ${DEFAULT_LINES} 行或 ${formatBytes(MAX_TEXT_BYTES)}，并说明如何用 offset 继续读取；超过 ${MAX_LINE_UNITS} 个字符的行会被截断。` +
        `图片（png、jpeg、webp、gif，最大 ${formatBytes(MAX_IMAGE_BYTES)}）会附给能看图的模型。` +
        `拒绝其他二进制文件和超过 ${formatBytes(MAX_FILE_BYTES)} 的文件。`,
      parameters: {
        path: pathTextZhCn('要读取的文件'),
        offset: '起始行，从 1 开始计数。默认 1',
        limit: `显示的行数。默认 ${DEFAULT_LINES}`,
      },
    },
  },
  parameters: ReadFileParameters,
  // A cached result would not update the file ledger, which protects files that others changed.
  isVolatile: true,
  async execute(args, ctx) {
    return onExistingPath(args.path, ctx, async path => {
      const bytes = await ctx.workspace.readFile(path, { maxBytes: MAX_FILE_BYTES });
      const version = ctx.fileLedger?.note(ctx.workspace.relative(path), bytes);
      return readPage(bytes, { ...args, path, version }, ctx);
    });
  },
});

async function readPage(bytes: Buffer, args: ReadFileParameters & Versioned, ctx: ToolContext): Promise<ToolResult> {
  const path = ctx.workspace.relative(args.path);
  const mediaType = ctx.attachesImages ? imageTypeOf(bytes) : undefined;
  if (mediaType) return imageResult({ mediaType, bytes }, { path, version: args.version }, ctx);
  if (bytes.length === 0)
    return textResult(inLocale(ctx, `${path} is empty.`, `${path} 是空文件。`), { path, totalLines: 0, version: args.version });
  const decoded = await decodeFile(bytes, ctx);
  if (decoded.kind !== 'text') return notTextRefusal(decoded, path, ctx);
  const first = args.offset ?? 1;
  const page = cutPage(decoded.text, { first, limit: args.limit ?? DEFAULT_LINES }, ctx);
  if (first > page.totalLines) {
    return errorResult(
      inLocale(
        ctx,
        `${path} has only ${page.totalLines} lines; offset ${first} is past its end.`,
        `${path} 只有 ${page.totalLines} 行，offset ${first} 超出末尾。`,
      ),
    );
  }
  const last = first + page.lines.length - 1;
  const details = { path, firstLine: first, lastLine: last, totalLines: page.totalLines, version: args.version };
  const header = [rangeText(details, ctx), ...noteTexts(decoded, ctx)].join(' ');
  // Programs get the text without line numbers.
  const text = page.lines.map(line => line.slice(line.indexOf('|') + 1)).join('\n');
  return textResult(`${header}\n${page.lines.join('\n')}`, details, { text });
}

function imageResult(image: ToolImage, details: Versioned & { path: string }, ctx: ToolContext): ToolResult {
  const { path } = details;
  const kind = `${image.mediaType}, ${formatBytes(image.bytes.length)}`;
  if (image.bytes.length > MAX_IMAGE_BYTES) {
    const most = formatBytes(MAX_IMAGE_BYTES);
    const en = `${path} is an image (${kind}); at most ${most} are shown. Make a smaller copy first.`;
    return errorResult(inLocale(ctx, en, `${path} 是图片（${kind}）；最多显示 ${most}。请先生成较小的副本。`));
  }
  const text = inLocale(ctx, `${path} is an image (${kind}), which is attached.`, `${path} 是图片（${kind}），已附上。`);
  return { ...textResult(text, { ...details }), images: [image] };
}

/** `version`: as FileLedger.note returns it. */
interface Versioned {
  version: string | undefined;
}

interface PageRange {
  path: string;
  firstLine: number;
  lastLine: number;
  totalLines: number;
}

function rangeText({ path, firstLine: first, lastLine: last, totalLines: total }: PageRange, ctx: ToolContext): string {
  const more = last < total;
  const en = `${path}, lines ${first}-${last} of ${total}.${more ? ` Read on with offset=${last + 1}.` : ''}`;
  return inLocale(ctx, en, `${path}，第 ${first}-${last} 行，共 ${total} 行。${more ? `用 offset=${last + 1} 继续读取。` : ''}`);
}

function noteTexts({ text, format, lossless }: Extract<DecodedText, { kind: 'text' }>, ctx: ToolContext): string[] {
  const notes: string[] = [];
  const encoding = encodingName(format);
  if (format.encoding !== 'utf-8')
    notes.push(inLocale(ctx, `Encoding ${encoding}; patch keeps it.`, `编码为 ${encoding},patch 会保持不变。`));
  if (text.includes('\r\n')) notes.push(inLocale(ctx, 'Line ends are CRLF.', '换行符为 CRLF。'));
  if (!text.endsWith('\n')) notes.push(inLocale(ctx, 'The last line has no line end.', '最后一行没有换行符。'));
  if (!lossless)
    notes.push(inLocale(ctx, 'Some bytes are not valid UTF-8 and show as \uFFFD.', '部分字节不是有效的 UTF-8，显示为 \uFFFD。'));
  return notes;
}

/** Returns the lines from `first` with their numbers, and the number of all lines. Scans instead of splitting: a file may have millions of lines. */
function cutPage(
  text: string,
  { first, limit }: { first: number; limit: number },
  ctx: ToolContext,
): { lines: string[]; totalLines: number } {
  const lines: string[] = [];
  let bytes = 0;
  let number = 0;
  let full = false;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    number += 1;
    if (!full && number >= first) {
      const line = `${number}|${clipLine(text.slice(start, end), ctx)}`;
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > MAX_TEXT_BYTES) full = true;
      else if (lines.push(line) >= limit) full = true;
    }
    start = end + 1;
  }
  return { lines, totalLines: number };
}

function clipLine(text: string, ctx: ToolContext): string {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  if (line.length <= MAX_LINE_UNITS) return line;
  const kept = clipStart(line, MAX_LINE_UNITS);
  const left = line.length - kept.length;
  return `${kept} [... ${inLocale(ctx, `${left} more characters in this line`, `此行还有 ${left} 个字符`)}]`;
}
