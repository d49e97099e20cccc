import { type Static, Type } from '@sinclair/typebox';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { decodeFile } from '../decode_file';
import { textPage } from '../files/text_page';
import { onExistingPath } from '../look_alike_path';
import { decodeNamed, encodingName, NAMED_ENCODINGS } from '../text_codec';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { MAX_FILE_BYTES, notTextRefusal } from '../workspace_refusal';

/** The most bytes of one page: below the runner's limit of a result, so that no page is truncated. */
const MAX_TEXT_BYTES = 96 * 1024;

const FileReadParameters = Type.Object(
  {
    path: pathParameter('File to read'),
    offset: Type.Optional(Type.Integer({ minimum: 1, description: 'Line to begin with, counted from 1. Default 1' })),
    encoding: Type.Optional(
      Type.Union(
        NAMED_ENCODINGS.map(name => Type.Literal(name)),
        { description: 'Encoding of the file, when the detected one is wrong. Default: detected' },
      ),
    ),
  },
  { additionalProperties: false },
);
type FileReadParameters = Static<typeof FileReadParameters>;

export const fileReadTool = defineTool({
  name: 'file_read',
  toolset: 'files',
  doubles: 'read_file',
  label: 'Read text',
  description:
    'Gives back the plain text of a file in the workspace, without line numbers; detects its encoding (UTF-8, UTF-16, GB18030, Shift_JIS). ' +
    `At most ${formatBytes(MAX_TEXT_BYTES)} a call; for a longer file the result says how to continue with offset. Refuses binary files and files over ${formatBytes(MAX_FILE_BYTES)}.`,
  whenToUse: [
    {
      en: 'What a file contains matters → file_read; never answer from memory or guess.',
      'zh-CN': '要知道文件里写了什么 → file_read；不要凭记忆，也不要猜。',
      lacks: ['read_file'],
    },
    {
      en: 'The plain text of a file is needed, without line numbers → file_read.',
      'zh-CN': '需要文件的纯文本，不带行号 → file_read。',
      needs: ['read_file'],
    },
  ],
  effect: 'read',
  reads: 'private',
  workspace: 'read',
  // A cached result would not update the file ledger, which protects files that others changed.
  isVolatile: true,
  translations: {
    'zh-CN': {
      label: '读取文本',
      description:
        '返回工作区中某个文件的纯文本，不带行号；自动识别编码（UTF-8、UTF-16、GB18030、Shift_JIS）。' +
        `每次最多 ${formatBytes(MAX_TEXT_BYTES)}，更长的文件会说明如何用 offset 继续。拒绝二进制文件和超过 ${formatBytes(MAX_FILE_BYTES)} 的文件。`,
      parameters: {
        path: pathTextZhCn('要读取的文件'),
        offset: '起始行，从 1 开始计数。默认 1',
        encoding: '文件的编码，自动识别有误时填写。默认自动识别',
      },
    },
  },
  parameters: FileReadParameters,
  async execute(args, ctx) {
    return onExistingPath(args.path, ctx, async path => {
      const bytes = await ctx.workspace.readFile(path, { maxBytes: MAX_FILE_BYTES });
      const version = ctx.fileLedger?.note(ctx.workspace.relative(path), bytes);
      return readText(bytes, { ...args, path, version }, ctx);
    });
  },
});

/** `version`: as FileLedger.note returns it. */
async function readText(bytes: Buffer, args: FileReadParameters & { version: string | undefined }, ctx: ToolContext): Promise<ToolResult> {
  const path = ctx.workspace.relative(args.path);
  const { offset = 1, encoding } = args;
  const decoded =
    encoding === undefined ? await decodeFile(bytes, ctx) : { kind: 'text' as const, text: await decodeNamed(bytes, encoding) };
  if (decoded.kind !== 'text') return notTextRefusal(decoded, path, ctx);
  const page = textPage(decoded.text, offset, MAX_TEXT_BYTES);
  if (!page) return errorResult(inLocale(ctx, `${path} ends before line ${offset}.`, `${path} 没有第 ${offset} 行。`));
  const { text, nextLine } = page;
  const more =
    nextLine === undefined
      ? ''
      : inLocale(ctx, `\n[The file goes on; read further with offset=${nextLine}.]`, `\n[文件未完，用 offset=${nextLine} 继续读取。]`);
  const details = {
    path,
    encoding: 'format' in decoded ? encodingName(decoded.format) : encoding,
    bytes: bytes.length,
    nextOffset: nextLine,
    version: args.version,
  };
  return textResult(text + more, details, { text });
}
