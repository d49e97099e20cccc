import { Type } from '@sinclair/typebox';
import { type FileListOutcome, type FileListRequest } from '../../port/file_search';
import { WorkspaceError } from '../../port/workspace';
import { formatBytes } from '../../utils/format_bytes';
import { visibleName } from '../../utils/look_alike_names';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { MAX_GLOB_UNITS } from '../files/glob';
import { listTree, MAX_LISTED_ENTRIES } from '../files/list_tree';
import { onExistingPath } from '../look_alike_path';
import { optionalPathParameter, optionalPathTextZhCn } from '../workspace_path';

const MAX_SHOWN = 1_000;

const FileListParameters = Type.Object(
  {
    path: optionalPathParameter('Directory to begin in'),
    pattern: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_GLOB_UNITS, description: 'Glob such as *.md, src/*.ts or **/*.{ts,tsx}. Default *' }),
    ),
    include_ignored: Type.Optional(
      Type.Boolean({ description: 'Also list what .gitignore names, and enter .git, node_modules and the like. Default false' }),
    ),
  },
  { additionalProperties: false },
);

export const fileListTool = defineTool({
  name: 'file_list',
  toolset: 'files',
  doubles: 'list_dir',
  label: 'Find files',
  description:
    'Lists files and directories whose path below a directory matches a pattern: * and ? within a name, ** across directories, [a-z], {a,b}. ' +
    `Use it to find files by name; it does not look into them. It shows at most ${MAX_SHOWN} entries and reads at most ${MAX_LISTED_ENTRIES}; it leaves out files that .gitignore names, and ** enters neither directories that .gitignore names nor .git, node_modules and the like, unless the pattern names them.`,
  whenToUse: 'Files have to be found by their names',
  effect: 'read',
  workspace: 'find',
  // People change the same directory, so a cached result may be wrong.
  isVolatile: true,
  translations: {
    'zh-CN': {
      label: '查找文件',
      description:
        '列出某个目录下路径与模式相符的文件和目录：* 和 ? 匹配名称内的字符，** 跨目录，支持 [a-z] 和 {a,b}。' +
        `按名称找文件时使用；它不查看文件内容。最多显示 ${MAX_SHOWN} 项、查看 ${MAX_LISTED_ENTRIES} 项；除非模式中写明，不列出 .gitignore 所列的文件，** 也不进入 .gitignore 所列的目录和 .git、node_modules 等目录。`,
      whenToUse: '要按名称找文件',
      parameters: {
        path: optionalPathTextZhCn('起始目录'),
        pattern: '通配模式，如 *.md、src/*.ts 或 **/*.{ts,tsx}。默认 *',
        include_ignored: '也列出 .gitignore 所列的内容，并进入 .git、node_modules 等目录。默认 false',
      },
    },
  },
  parameters: FileListParameters,
  async execute({ path: asked = '.', pattern = '*', include_ignored: includeIgnored = false }, ctx) {
    return onExistingPath(asked, ctx, async path => {
      const request = { path, pattern, includeIgnored, maxResults: MAX_SHOWN };
      const outcome = await (ctx.fileSearch
        ? ctx.fileSearch.list(request, ctx.signal)
        : listTree(ctx.workspace, request, { signal: ctx.signal, isTimeUp: () => ctx.signal.aborted }));
      return toResult(outcome, request, ctx);
    });
  },
});

function toResult(outcome: FileListOutcome, { path, pattern }: FileListRequest, ctx: ToolContext): ToolResult {
  switch (outcome.kind) {
    case 'bad_pattern':
      return errorResult(
        inLocale(ctx, `${pattern} is not a pattern. Write one such as **/*.ts.`, `${pattern} 不是有效的模式。请写成 **/*.ts 这样。`),
      );
    case 'refused':
      throw new WorkspaceError(outcome.code, outcome.message, outcome.messageZh);
    case 'overrun':
      return errorResult(
        inLocale(ctx, 'The list took too long. Use a simpler pattern or a smaller directory.', '耗时过长。请简化模式或缩小目录。'),
      );
    case 'listed':
      return listedResult(outcome, { name: ctx.workspace.relative(path), pattern }, ctx);
  }
}

function listedResult(
  { entries, ignored, isComplete }: Extract<FileListOutcome, { kind: 'listed' }>,
  { name, pattern }: { name: string; pattern: string },
  ctx: ToolContext,
): ToolResult {
  const details = { path: name, pattern, count: entries.length, ignored: ignored > 0 ? ignored : undefined, truncated: !isComplete };
  const left = ignored > 0 ? ignoredText(ignored, ctx) : '';
  const more =
    left + (isComplete ? '' : inLocale(ctx, '\n[There may be more; use a narrower pattern.]', '\n[可能还有更多，请用更窄的模式。]'));
  const data = { items: entries };
  if (entries.length > 0) return textResult(entries.map(entryLine).join('\n') + more, details, data);
  return textResult(
    inLocale(ctx, `Nothing in ${name} matches ${pattern}.`, `${name} 中没有与 ${pattern} 相符的内容。`) + more,
    details,
    data,
  );
}

const ignoredText = (ignored: number, ctx: ToolContext): string =>
  inLocale(
    ctx,
    `\n[Left out, because a .gitignore names them: ${ignored} files. To list them, set include_ignored.]`,
    `\n[未列出 .gitignore 所列的 ${ignored} 个文件。如需列出，请设置 include_ignored。]`,
  );

function entryLine({ path, kind, size }: { path: string; kind: string; size: number }): string {
  const shown = visibleName(path);
  if (kind === 'directory') return `${shown}/`;
  return kind === 'file' ? `${shown} (${formatBytes(size)})` : shown;
}
