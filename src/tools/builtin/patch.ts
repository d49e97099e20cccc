import { type Static, Type } from '@sinclair/typebox';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import type { PatchRefusal, PatchRefusalCode, PatchSuccess } from '../fuzzy/types';
import { applyPatch } from '../fuzzy_match';
import { shortDiff } from '../short_diff';
import { decodeText, encodeText } from '../text_codec';
import { MAX_FILE_BYTES, notTextRefusal, workspaceRefusal } from '../workspace_refusal';

const PatchParameters = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 4096, description: 'File to change: absolute inside the workspace, or relative to it' }),
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
    'Replaces a piece of text inside an existing file of the workspace and gives back a diff. The first choice for every change in a file; write_file is for new files and full rewrites. ' +
    'Read the file first and quote old_string from it, without the line numbers, with two or three lines of context so that it occurs only once. Small differences in white space, indentation, quotes or escapes are forgiven; ' +
    'indentation, line ends and everything outside the match are kept. It is refused, and nothing is written, when the text is not found, occurs several times without replace_all, or differs in substance. ' +
    `Text files up to ${formatBytes(MAX_FILE_BYTES)}.`,
  effect: 'write',
  translations: {
    'zh-CN': {
      label: '编辑文件',
      description:
        '替换工作区中现有文件里的一段文本,并返回 diff。修改文件时应首先使用;write_file 用于新建文件和整体重写。' +
        '先读取文件,再从中原样引用 old_string(不含行号),并带上前后两三行,使其在文件中只出现一次。空白、缩进、引号、转义上的细小差异可以容忍;' +
        '缩进、换行符以及匹配之外的内容都会保持不变。找不到文本、未设 replace_all 却有多处匹配、或内容有实质差异时会拒绝,且不写入任何内容。' +
        `适用于不超过 ${formatBytes(MAX_FILE_BYTES)} 的文本文件。`,
      parameters: {
        path: '要修改的文件:工作区内的绝对路径,或相对于工作区的路径',
        old_string: '要查找的文本,带上足够的上下文,使其在文件中唯一',
        new_string: '用来替换的文本;留空表示删除',
        replace_all: '替换所有匹配,而不是恰好一处。默认 false',
      },
    },
  },
  parameters: PatchParameters,
  async execute(args, ctx) {
    try {
      return await ctx.workspace.withFileLock(args.path, () => patchFile(args, ctx));
    } catch (thrown) {
      return workspaceRefusal(thrown, args.path, ctx);
    }
  },
});

async function patchFile(args: PatchParameters, ctx: ToolContext): Promise<ToolResult> {
  const path = ctx.workspace.relative(args.path);
  const decoded = decodeText(await ctx.workspace.readFile(args.path, { maxBytes: MAX_FILE_BYTES }));
  if (decoded.kind !== 'text') return notTextRefusal(decoded, path, ctx);
  if (!decoded.lossless) return damagedText(path, ctx);
  const result = applyPatch(decoded.text, args.old_string, args.new_string, { replaceAll: args.replace_all ?? false });
  if (!result.ok) return refused(result, path, ctx);
  const bytes = encodeText(result.content, decoded.format);
  if (bytes.length > MAX_FILE_BYTES) {
    const limit = formatBytes(MAX_FILE_BYTES);
    return errorResult(inLocale(ctx, `${path} would grow over ${limit}; nothing was written.`, `${path} 将超过 ${limit};未写入任何内容。`));
  }
  // Once this is written it cannot be taken back, so a cancelled call stops here.
  ctx.signal.throwIfAborted();
  await ctx.workspace.writeFile(args.path, bytes);
  return patched(decoded.text, result, path, ctx);
}

function patched(before: string, result: PatchSuccess, path: string, ctx: ToolContext): ToolResult {
  const { strategy, count, warnings = [] } = result;
  const { text: diff, lines } = shortDiff(path, before, result.content);
  const [first, last] = lines;
  const en = `Changed ${path} in ${count} ${count === 1 ? 'place' : 'places'}, lines ${first}-${last} (match: ${strategy}).`;
  const zh = `已修改 ${path},共 ${count} 处,第 ${first}-${last} 行(匹配方式:${strategy})。`;
  const shown = diff || inLocale(ctx, 'The change is too large to show as a diff.', '改动过大,无法以 diff 显示。');
  return textResult([inLocale(ctx, en, zh), ...warnings, shown].join('\n'), { strategy, count, diff, lines });
}

function refused({ code, error, hints = [] }: PatchRefusal, path: string, ctx: ToolContext): ToolResult {
  const next = inLocale(ctx, ...NEXT_STEPS[code]);
  const nearest = hints.length > 0 ? [inLocale(ctx, 'Nearest places:', '最接近的位置:'), ...hints] : [];
  const heading = inLocale(ctx, `${path} was not changed (${code}). ${error}`, `${path} 未修改(${code})。${error}`);
  return errorResult([heading, ...nearest, next].join('\n'), { code, hints });
}

/** What the model should do about a refusal, in English and Chinese. */
const NEXT_STEPS: Record<PatchRefusalCode, [en: string, zhCN: string]> = {
  no_match: [
    'Read the file again and quote old_string from it. The same call again cannot succeed.',
    '请重新读取文件,并从中原样引用 old_string。重复同样的调用不会成功。',
  ],
  ambiguous: [
    'Add lines before or after it until it occurs once, or set replace_all=true if every place is meant.',
    '请加入前后的行直到只出现一次;如果所有位置都要修改,请设 replace_all=true。',
  ],
  conflict: [
    'The file holds something there that old_string does not. Read that part again and quote it as it is now.',
    '该处的文件内容与 old_string 不符。请重新读取这一部分并按现状引用。',
  ],
  already_applied: ['The new text is in the file already. Nothing is left to do here; go on.', '新文本已在文件中,这里无需再改,请继续。'],
  identical: [
    'old_string and new_string are the same. Say what is to become different.',
    'old_string 与 new_string 相同。请写明要改成什么。',
  ],
  empty_old: [
    'Quote the text to replace in old_string. For a new file use write_file.',
    '请在 old_string 中写出要替换的文本。新建文件请用 write_file。',
  ],
  no_change: [
    'The result would equal the file as it is. Go on, or say what is to become different.',
    '结果与文件现状相同。请继续,或写明要改成什么。',
  ],
  too_large: [
    'Quote a shorter piece exactly as the file has it, or change the file with bash (sed).',
    '请引用更短、且与文件完全一致的片段,或用 bash(sed)修改。',
  ],
};

function damagedText(path: string, ctx: ToolContext): ToolResult {
  return errorResult(
    inLocale(
      ctx,
      `${path} holds bytes that are not valid UTF-8 and would be lost by an edit, so nothing was written. Change it with bash (sed), which leaves them alone.`,
      `${path} 含有无效的 UTF-8 字节,编辑会使其丢失,因此未写入任何内容。请用 bash(sed)修改,这些字节会保持不变。`,
    ),
  );
}
