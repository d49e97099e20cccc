import { type Static, Type } from '@sinclair/typebox';
import type { PatchOutcome, PatchRefusal, PatchRefusalCode, PatchRequest } from '../../port/patch_engine';
import { contentHash } from '../../utils/content_hash';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { changeFile, staleRefusal } from '../file_change';
import { onExistingPath } from '../look_alike_path';
import { patchBytes } from '../patch_bytes';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { MAX_FILE_BYTES, notTextRefusal } from '../workspace_refusal';

const PatchParameters = Type.Object(
  {
    path: pathParameter('File to change'),
    old_string: Type.String({
      description: 'Text to find, with enough lines around it to be the only such place in the file',
    }),
    new_string: Type.String({ description: 'Text to put in its place; empty to delete' }),
    replace_all: Type.Optional(Type.Boolean({ description: 'Replace every match instead of exactly one. Default false' })),
  },
  { additionalProperties: false },
);
type PatchParameters = Static<typeof PatchParameters>;

export const patchTool = defineTool({
  name: 'patch',
  toolset: 'base',
  label: 'Edit file',
  description:
    'Replaces a piece of text inside an existing file of the workspace and returns a diff. Use it first for every change in a file, but not for new files and full rewrites. ' +
    'Read the file first and quote old_string from it, without the line numbers, with two or three lines of context so that it occurs only once. Small differences in white space, indentation, quotes or escapes are forgiven; ' +
    'indentation, line ends, encoding and everything outside the match are kept. It is refused, and nothing is written, when the text is not found, occurs several times without replace_all, differs in substance, or when another writer changed the file since you last read or wrote it. ' +
    `Text files (UTF-8, UTF-16, GB18030, Shift_JIS) up to ${formatBytes(MAX_FILE_BYTES)}.`,
  whenToUse: 'A part of an existing file has to change',
  howToUse: {
    title: { en: '## Editing files', 'zh-CN': '## 改文件' },
    lines: [
      {
        en: 'Change existing files with patch: it touches only what it must and shows the difference.',
        'zh-CN': '已有的文件用 patch 来改：只动该动的地方，并且显示差异。',
      },
      { en: 'Keep write_file for new files and complete rewrites.', 'zh-CN': 'write_file 留给新文件和整体重写。', needs: ['write_file'] },
      {
        en: 'Take old_string from the file as it is now, with enough lines around it to occur exactly once; small differences of indentation and white space are forgiven.',
        'zh-CN': 'old_string 取自文件现在的内容，前后带上足够的行，使它恰好出现一次；缩进和空白上的小差别没有关系。',
      },
      {
        en: 'One change, one call. To replace every occurrence of a text set replace_all. When nothing or too much matches, look at the file again instead of guessing.',
        'zh-CN': '一处改动一次调用。要替换某段文字的所有出现，就设置 replace_all。匹配不到或匹配过多时，重新读取文件，不要猜测。',
      },
    ],
  },
  promptOrder: 30,
  effect: 'write',
  reads: 'private',
  workspace: 'change',
  translations: {
    'zh-CN': {
      label: '编辑文件',
      description:
        '替换工作区中现有文件里的一段文本，并返回 diff。修改文件时应首先使用；不用于新建文件和整体重写。' +
        '先读取文件，再从中原样引用 old_string（不含行号），并带上前后两三行，使其在文件中只出现一次。空白、缩进、引号、转义上的细小差异可以容忍；' +
        '缩进、换行符、编码以及匹配之外的内容都会保持不变。找不到文本、未设 replace_all 却有多处匹配、内容有实质差异，或文件在你上次读写后被他人改动时会拒绝，且不写入任何内容。' +
        `适用于不超过 ${formatBytes(MAX_FILE_BYTES)} 的文本文件（UTF-8、UTF-16、GB18030、Shift_JIS）。`,
      whenToUse: '要改已有文件的一部分',
      parameters: {
        path: pathTextZhCn('要修改的文件'),
        old_string: '要查找的文本，带上足够的上下文，使其在文件中唯一',
        new_string: '用来替换的文本；留空表示删除',
        replace_all: '替换所有匹配，而不是恰好一处。默认 false',
      },
    },
  },
  parameters: PatchParameters,
  async execute(args, ctx) {
    return onExistingPath(args.path, ctx, path => ctx.workspace.withFileLock(path, () => patchFile({ ...args, path }, ctx)));
  },
});

/** Larger files and quotations are patched in another thread: a quotation that does not match takes about 0.2 ms per KiB of file. */
const MAX_INLINE_BYTES = 256 * 1024;
const MAX_INLINE_QUOTE = 32 * 1024;

async function patchFile(args: PatchParameters, ctx: ToolContext): Promise<ToolResult> {
  const path = ctx.workspace.relative(args.path);
  const before = await ctx.workspace.readFile(args.path, { maxBytes: MAX_FILE_BYTES });
  const stale = await staleRefusal(path, before, ctx);
  if (stale) return stale;
  const outcome = await patchInThread(before, { path, ...toEdit(args), locale: ctx.locale }, ctx);
  switch (outcome.kind) {
    case 'patched':
      return writePatched(args.path, { before, outcome }, ctx);
    case 'refused':
      return refused(outcome.refusal, { path, isRepeated: isRepeated(before, { path, ...toEdit(args) }, ctx) }, ctx);
    case 'not_text':
      return notTextRefusal(outcome.decoded, path, ctx);
    case 'damaged':
      return damagedText(path, ctx);
    case 'unencodable':
      return unencodable(outcome, path, ctx);
  }
}

const toEdit = ({ old_string, new_string, replace_all = false }: PatchParameters) => ({
  oldString: old_string,
  newString: new_string,
  replaceAll: replace_all,
});

function patchInThread(bytes: Buffer, request: PatchRequest, { patchEngine, signal }: ToolContext): PatchOutcome | Promise<PatchOutcome> {
  const isBig = bytes.length > MAX_INLINE_BYTES || request.oldString.length > MAX_INLINE_QUOTE;
  if (isBig && patchEngine) return patchEngine.patch(bytes, request, signal);
  return patchBytes(bytes, request);
}

/** Returns whether the session has sent this edit of this content before; it can only be refused again. */
function isRepeated(bytes: Buffer, request: PatchRequest, { fileLedger }: ToolContext): boolean {
  return fileLedger?.noteRefusal(JSON.stringify([request, contentHash(bytes)])) ?? false;
}

type Patched = Extract<PatchOutcome, { kind: 'patched' }>;

async function writePatched(
  target: string,
  { before, outcome }: { before: Buffer; outcome: Patched },
  ctx: ToolContext,
): Promise<ToolResult> {
  const path = ctx.workspace.relative(target);
  const { bytes, strategy, count, warnings, warningsZh = warnings, diff, lines, added, removed } = outcome;
  if (bytes.length > MAX_FILE_BYTES) {
    const limit = formatBytes(MAX_FILE_BYTES);
    return errorResult(
      inLocale(ctx, `${path} would grow over ${limit}; nothing was written.`, `${path} 将超过 ${limit}；未写入任何内容。`),
    );
  }
  const { undoable, version } = await changeFile(ctx, { path: target, previous: { kind: 'bytes', bytes: before }, bytes });
  const [first, last] = lines;
  const en = `Changed ${path} in ${count} ${count === 1 ? 'place' : 'places'}, lines ${first}-${last} (match: ${strategy}).`;
  const zh = `已修改 ${path}，共 ${count} 处，第 ${first}-${last} 行（匹配方式：${strategy}）。`;
  const shown = diff || inLocale(ctx, 'The change is too large to show as a diff.', '改动过大，无法以 diff 显示。');
  const details = { path: version && path, strategy, count, diff, added, removed, lines, undoable: undoable || undefined, version };
  const notes = ctx.locale === 'zh-CN' ? warningsZh : warnings;
  return textResult([inLocale(ctx, en, zh), ...notes, shown].join('\n'), details);
}

function refused(
  { code, error, errorZh = error, hints = [], hintsZh = hints }: PatchRefusal,
  { path, isRepeated }: { path: string; isRepeated: boolean },
  ctx: ToolContext,
): ToolResult {
  const heading = inLocale(ctx, `${path} was not changed (${code}). ${error}`, `${path} 未修改（${code}）。${errorZh}`);
  const nearest =
    hints.length > 0 ? [inLocale(ctx, 'Nearest places:', '最接近的位置：'), ...(ctx.locale === 'zh-CN' ? hintsZh : hints)] : [];
  const more = isRepeated ? REPEATED : MORE_STEPS[code];
  const lines = [heading, ...nearest, ...(more ? [inLocale(ctx, ...more)] : [])];
  return errorResult(lines.join('\n'), { code, hints, repeated: isRepeated || undefined });
}

const REPEATED: [en: string, zhCN: string] = [
  'You sent this very call before and the file has not changed since: repeating it cannot help. When the change is done already, go on.',
  '你之前发送过完全相同的调用，而文件自那以后没有变化：重复调用不会有任何帮助。如果修改已经完成，请继续下一步。',
];

/** What the model can do beyond the advice in the engine's own sentence. */
const MORE_STEPS: Partial<Record<PatchRefusalCode, [en: string, zhCN: string]>> = {
  identical: ['Say what is to become different.', '请写明要改成什么。'],
  no_change: ['Go on, or say what is to become different.', '请继续，或写明要改成什么。'],
  too_large: ['If you can run commands, one such as sed can make the change, too.', '如果能运行命令，也可用 sed 等命令修改。'],
};

function damagedText(path: string, ctx: ToolContext): ToolResult {
  return errorResult(
    inLocale(
      ctx,
      `${path} holds bytes that are no valid text and would be lost by an edit, so nothing was written. If you can run commands, sed leaves such bytes alone.`,
      `${path} 含有无效的文本字节，编辑会使其丢失，因此未写入任何内容。如果能运行命令，可用 sed 修改，这些字节会保持不变。`,
    ),
  );
}

function unencodable({ encoding, character }: { encoding: string; character: string }, path: string, ctx: ToolContext): ToolResult {
  const en = `${path} is stored as ${encoding}, which cannot hold "${character}", so nothing was written. Use other characters, or convert the file to UTF-8 first (with iconv, say) if its readers allow that.`;
  const zh = `${path} 以 ${encoding} 编码保存，无法表示“${character}”，因此未写入任何内容。请改用其他字符；若文件的使用者允许，可先转换为 UTF-8（例如用 iconv）。`;
  return errorResult(inLocale(ctx, en, zh), { code: 'unencodable' });
}
