import { Type } from '@sinclair/typebox';
import { WorkspaceError } from '../../port/workspace';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { encodeLike } from '../encode_like';
import { changeFile, type PreviousContent, staleRefusal } from '../file_change';
import { lookAlikeNote } from '../look_alike_path';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { MAX_FILE_BYTES, workspaceRefusal } from '../workspace_refusal';
import { writtenDiff } from '../written_diff';

const WriteFileParameters = Type.Object(
  {
    path: pathParameter('File to write'),
    content: Type.String({ description: 'The whole new content of the file' }),
  },
  { additionalProperties: false },
);

export const writeFileTool = defineTool({
  name: 'write_file',
  toolset: 'base',
  label: 'Write file',
  description:
    'Writes a whole text file in the workspace, UTF-8 when it is new, else in the encoding that it has: creates it with its directories, or replaces everything an existing file holds. ' +
    'Use it for new files and full rewrites; do not use it for a smaller change inside an existing file when another tool can make it. ' +
    `The old content is replaced, so read an existing file first; it is refused when another writer changed the file since you last read or wrote it. At most ${formatBytes(MAX_FILE_BYTES)}. Readers see the old file or the new one, unless it is mounted alone. A hard link in another directory keeps the old content.`,
  whenToUse: [
    {
      en: 'A new file, or every line of a file is new → write_file; for anything less there is patch.',
      'zh-CN': '新建文件，或文件的每一行都要换 → write_file；不到这种程度就用 patch。',
      needs: ['patch'],
    },
    {
      en: 'A file has to be created or changed → write_file, always with the whole new content.',
      'zh-CN': '要新建或修改文件 → write_file，每次都给出完整的新内容。',
      lacks: ['patch'],
    },
  ],
  promptOrder: 40,
  effect: 'write',
  workspace: 'change',
  translations: {
    'zh-CN': {
      label: '写入文件',
      description:
        '在工作区中写入整个文本文件（新文件为 UTF-8，已有文件保持原有编码）：文件不存在时连同目录一起创建，已存在时替换其全部内容。' +
        '用于新建文件和整体重写；只改动现有文件的一部分时，如有其他工具可用就不要用它。' +
        `原有内容会被替换，因此应先读取现有文件；文件在你上次读写后被他人改动时会拒绝。最大 ${formatBytes(MAX_FILE_BYTES)}。读者看到的是旧文件或新文件；单独挂载的文件除外。其他目录中的硬链接保留旧内容。`,
      parameters: {
        path: pathTextZhCn('要写入的文件'),
        content: '文件的完整新内容',
      },
    },
  },
  parameters: WriteFileParameters,
  async planDiff({ path, content }, ctx) {
    const name = ctx.workspace.relative(path);
    const previous = await readPrevious(path, ctx);
    const encoded = await encodeLike({ name, previous, content }, ctx);
    return 'ok' in encoded ? undefined : (await writtenDiff(ctx, { path: name, previous, bytes: encoded.bytes })).diff;
  },
  async execute({ path, content }, ctx) {
    const data = Buffer.from(content, 'utf8');
    if (data.length > MAX_FILE_BYTES) {
      const size = formatBytes(data.length);
      const most = formatBytes(MAX_FILE_BYTES);
      return errorResult(
        inLocale(
          ctx,
          `The content has ${size}; the limit is ${most}. Write it in several files.`,
          `内容为 ${size}，上限为 ${most}。请分成多个文件写入。`,
        ),
      );
    }
    try {
      return await ctx.workspace.withFileLock(path, () => writeWhole({ path, content }, ctx));
    } catch (thrown) {
      return workspaceRefusal(thrown, path, ctx);
    }
  },
});

async function writeWhole({ path, content }: { path: string; content: string }, ctx: ToolContext): Promise<ToolResult> {
  const name = ctx.workspace.relative(path);
  const previous = await readPrevious(path, ctx);
  const stale = previous.kind === 'bytes' ? await staleRefusal(name, previous.bytes, ctx) : undefined;
  if (stale) return stale;
  const encoded = await encodeLike({ name, previous, content }, ctx);
  if ('ok' in encoded) return encoded;
  const { bytes, note } = encoded;
  const alike = previous.kind === 'absent' ? await lookAlikeNote(path, ctx) : '';
  const { created, undoable, version } = await changeFile(ctx, { path, previous, bytes });
  const change = await writtenDiff(ctx, { path: name, previous, bytes });
  const lines = countLines(content);
  const en = `${created ? 'Created' : 'Overwrote'} ${name}: ${lines} lines, ${bytes.length} bytes.${note}${alike}`;
  const zh = `${created ? '已创建' : '已覆盖'} ${name}：${lines} 行，${bytes.length} 字节。${note}${alike}`;
  return textResult(inLocale(ctx, en, zh), {
    path: name,
    created,
    lines,
    bytes: bytes.length,
    ...change,
    undoable: undoable || undefined,
    version,
  });
}

/** Reads the previous content. When that fails, the write itself decides whether it must refuse. */
async function readPrevious(path: string, { workspace }: ToolContext): Promise<PreviousContent> {
  try {
    return { kind: 'bytes', bytes: await workspace.readFile(path, { maxBytes: MAX_FILE_BYTES }) };
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceError)) throw thrown;
    return { kind: thrown.code === 'not_found' ? 'absent' : 'unknown' };
  }
}

function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
