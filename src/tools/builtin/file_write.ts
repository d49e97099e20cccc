import { type Static, Type } from '@sinclair/typebox';
import { WorkspaceError } from '../../port/workspace';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { decodeFile } from '../decode_file';
import { cannotHold, type EncodedLike, encodeLike, withLineEnds } from '../encode_like';
import { changeFile, type PreviousContent, staleRefusal } from '../file_change';
import { lookAlikeNote } from '../look_alike_path';
import { encodeText, encodingName } from '../text_codec';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { MAX_FILE_BYTES, notTextRefusal, workspaceRefusal } from '../workspace_refusal';
import { writtenDiff } from '../written_diff';

const FileWriteParameters = Type.Object(
  {
    path: pathParameter('File to write'),
    content: Type.String({ description: 'The text to write' }),
    mode: Type.Optional(
      Type.Union([Type.Literal('write'), Type.Literal('append')], {
        description: 'write replaces the whole file (default), append adds to its end',
      }),
    ),
  },
  { additionalProperties: false },
);
type FileWriteParameters = Static<typeof FileWriteParameters>;

export const fileWriteTool = defineTool({
  name: 'file_write',
  toolset: 'files',
  doubles: 'write_file',
  label: 'Write or append',
  description:
    'Writes text to a file in the workspace and creates a missing file with its directories: mode write replaces everything, mode append adds to the end, both in the encoding of an existing file. ' +
    `Use append for logs and lists that grow. Replacing is refused when another writer changed the file since you last read or wrote it. At most ${formatBytes(MAX_FILE_BYTES)} in all.`,
  whenToUse: [
    {
      en: 'Text has to be added to the end of a file, or a whole file written → file_write.',
      'zh-CN': '要在文件末尾追加文字，或写整个文件 → file_write。',
      lacks: ['write_file'],
    },
    {
      en: 'Text has to be added to the end of a file → file_write.',
      'zh-CN': '要在文件末尾追加文字 → file_write。',
      needs: ['write_file'],
    },
  ],
  effect: 'write',
  workspace: 'change',
  translations: {
    'zh-CN': {
      label: '写入或追加',
      description:
        '把文本写入工作区中的文件，文件及目录不存在时会创建：write 模式替换全部内容，append 模式追加到末尾，都保持已有文件的编码。' +
        `日志和不断增长的清单用 append。文件在你上次读写后被他人改动时，替换会被拒绝。总共最多 ${formatBytes(MAX_FILE_BYTES)}。`,
      parameters: {
        path: pathTextZhCn('要写入的文件'),
        content: '要写入的文本',
        mode: 'write 替换整个文件（默认），append 追加到末尾',
      },
    },
  },
  parameters: FileWriteParameters,
  async planDiff({ path, content, mode = 'write' }, ctx) {
    const previous = await readPrevious(path, mode, ctx);
    const encoded = await newBytes({ path, content, mode }, previous, ctx);
    return 'ok' in encoded
      ? undefined
      : (await writtenDiff(ctx, { path: ctx.workspace.relative(path), previous, bytes: encoded.bytes })).diff;
  },
  async execute(args, ctx) {
    try {
      return await ctx.workspace.withFileLock(args.path, () => writeOrAppend(args, ctx));
    } catch (thrown) {
      return workspaceRefusal(thrown, args.path, ctx);
    }
  },
});

async function writeOrAppend({ path, content, mode = 'write' }: FileWriteParameters, ctx: ToolContext): Promise<ToolResult> {
  const name = ctx.workspace.relative(path);
  const previous = await readPrevious(path, mode, ctx);
  const stale = previous.kind === 'bytes' ? await staleRefusal(name, previous.bytes, ctx) : undefined;
  if (stale && mode === 'write') return stale;
  const encoded = await newBytes({ path, content, mode }, previous, ctx);
  if ('ok' in encoded) return encoded;
  const { bytes: joined, note } = encoded;
  if (joined.length > MAX_FILE_BYTES) return tooLarge(joined.length, ctx);
  // Without the ledger: the session has not read the other writer's changes, so a later replacement must still be refused.
  const { fileLedger: _, ...unseen } = ctx;
  const alike = previous.kind === 'absent' ? await lookAlikeNote(path, ctx) : '';
  const { created, undoable, version } = await changeFile(stale ? unseen : ctx, { path, previous, bytes: joined });
  const change = await writtenDiff(ctx, { path: name, previous, bytes: joined });
  const added = joined.length - (mode === 'append' && previous.kind === 'bytes' ? previous.bytes.length : 0);
  const en = created ? 'Created' : mode === 'append' ? 'Appended to' : 'Overwrote';
  const zh = created ? '已创建' : mode === 'append' ? '已追加到' : '已覆盖';
  const text = inLocale(
    ctx,
    `${en} ${name}: ${added} bytes, ${joined.length} in all.${note}${alike}`,
    `${zh} ${name}：写入 ${added} 字节，共 ${joined.length} 字节。${note}${alike}`,
  );
  return textResult(text, { path: name, mode, created, bytes: joined.length, ...change, undoable: undoable || undefined, version });
}

/** Reads the previous content. When that fails, `write` goes on, because the write itself refuses what it must; `append` cannot. */
async function readPrevious(path: string, mode: 'write' | 'append', { workspace }: ToolContext): Promise<PreviousContent> {
  try {
    return { kind: 'bytes', bytes: await workspace.readFile(path, { maxBytes: MAX_FILE_BYTES }) };
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceError)) throw thrown;
    if (thrown.code === 'not_found') return { kind: 'absent' };
    if (mode === 'append') throw thrown;
    return { kind: 'unknown' };
  }
}

/** Returns what the file would hold, or the refusal. */
function newBytes(
  { path, content, mode }: Required<FileWriteParameters>,
  previous: PreviousContent,
  ctx: ToolContext,
): Promise<EncodedLike | ToolResult> {
  const name = ctx.workspace.relative(path);
  if (mode === 'append' && previous.kind === 'bytes') return appended(name, previous.bytes, content, ctx);
  return encodeLike({ name, previous, content }, ctx);
}

/** Returns the old bytes followed by the new text in their encoding, or the refusal. */
async function appended(name: string, previous: Uint8Array, content: string, ctx: ToolContext): Promise<EncodedLike | ToolResult> {
  const bytes = Buffer.from(previous);
  const decoded = await decodeFile(bytes, ctx);
  if (decoded.kind !== 'text') return notTextRefusal(decoded, name, ctx);
  const encoded = encodeText(withLineEnds(content, decoded.text), { ...decoded.format, bom: false });
  if (encoded.ok) return { bytes: Buffer.concat([bytes, encoded.bytes]), note: '' };
  return cannotHold(name, encodingName(decoded.format), encoded.character, ctx);
}

function tooLarge(bytes: number, ctx: ToolContext): ToolResult {
  const size = formatBytes(bytes);
  const most = formatBytes(MAX_FILE_BYTES);
  return errorResult(
    inLocale(
      ctx,
      `The file would have ${size}; the limit is ${most}. Write to several files.`,
      `文件将达到 ${size}，上限为 ${most}。请分成多个文件写入。`,
    ),
  );
}
