import { type Static, Type } from '@sinclair/typebox';
import type { FileSearchOutcome, FileSearchRequest } from '../../port/file_search';
import { WorkspaceError } from '../../port/workspace';
import { visibleName } from '../../utils/look_alike_names';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { MAX_GLOB_UNITS } from '../files/glob';
import { searchTree } from '../files/search_tree';
import { onExistingPath } from '../look_alike_path';
import { optionalPathParameter, optionalPathTextZhCn } from '../workspace_path';

const DEFAULT_RESULTS = 100;
const MAX_RESULTS = 500;
const MAX_PATTERN_UNITS = 1_000;

const SearchParameters = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: MAX_PATTERN_UNITS, description: 'Regular expression (RE2 syntax) for one line' }),
    path: optionalPathParameter('File or directory to search'),
    include: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_GLOB_UNITS, description: 'Only files whose name matches this glob, such as *.ts' }),
    ),
    literal: Type.Optional(Type.Boolean({ description: 'The pattern is plain text, not an expression. Default false' })),
    ignore_case: Type.Optional(Type.Boolean({ description: 'Capital and small letters are the same. Default false' })),
    include_ignored: Type.Optional(
      Type.Boolean({ description: 'Also search what .gitignore names, and .git, node_modules and the like. Default false' }),
    ),
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RESULTS,
        description: `Most lines to show. Default ${DEFAULT_RESULTS}, at most ${MAX_RESULTS}`,
      }),
    ),
  },
  { additionalProperties: false },
);
type SearchParameters = Static<typeof SearchParameters>;

export const searchTool = defineTool({
  name: 'search',
  toolset: 'files',
  label: 'Search files',
  description:
    'Searches the text of files in the workspace line by line and shows PATH:LINE:TEXT of each line that matches. Use it to find where something is said or defined; it does not look at file names. ' +
    'RE2 expressions: no backreferences, no look-around. Leaves out binary files, files over 4 MiB, files that may hold keys (.env, *.pem), what .gitignore names, .git and node_modules; stops after 10 seconds and returns the matches found so far.',
  whenToUse: 'You know what a file says, but not which file',
  effect: 'read',
  reads: 'private',
  workspace: 'find',
  // People change the same directory, so a cached result may be wrong.
  isVolatile: true,
  translations: {
    'zh-CN': {
      label: '搜索内容',
      description:
        '逐行搜索工作区中文件的文本，对每个匹配的行显示“路径:行号:文本”。用来找出某内容在哪里出现或定义；它不查找文件名。' +
        '使用 RE2 正则：不支持反向引用和环视。跳过二进制文件、超过 4 MiB 的文件、可能含有密钥的文件（.env、*.pem）、.gitignore 所列的内容、.git 和 node_modules；10 秒后返回已有结果。',
      whenToUse: '知道文件里写了什么，却不知道是哪个文件',
      parameters: {
        pattern: '匹配单行的正则表达式（RE2 语法）',
        path: optionalPathTextZhCn('要搜索的文件或目录'),
        include: '只搜索名称符合此通配模式的文件，如 *.ts',
        literal: '把 pattern 当作普通文本，而不是表达式。默认 false',
        ignore_case: '不区分大小写。默认 false',
        include_ignored: '也搜索 .gitignore 所列的内容，以及 .git、node_modules 等目录。默认 false',
        max_results: `最多显示的行数。默认 ${DEFAULT_RESULTS}，最大 ${MAX_RESULTS}`,
      },
    },
  },
  parameters: SearchParameters,
  async execute(args, ctx) {
    return onExistingPath(args.path ?? '.', ctx, async path => {
      const request = toRequest({ ...args, path });
      const outcome = await (ctx.fileSearch
        ? ctx.fileSearch.search(request, ctx.signal)
        : searchTree(ctx.workspace, request, { signal: ctx.signal, isTimeUp: () => ctx.signal.aborted }));
      return toResult(outcome, request, ctx);
    });
  },
});

const toRequest = (args: SearchParameters): FileSearchRequest => ({
  pattern: args.pattern,
  literal: args.literal ?? false,
  ignoreCase: args.ignore_case ?? false,
  path: args.path ?? '.',
  include: args.include,
  includeIgnored: args.include_ignored ?? false,
  maxResults: args.max_results ?? DEFAULT_RESULTS,
});

/** The engine quotes the part of the pattern that it cannot read. */
function placeZh(message: string): string {
  const part = /`([\s\S]*)`$/.exec(message)?.[1];
  return part ? `：${part}` : '';
}

function toResult(outcome: FileSearchOutcome, { pattern }: FileSearchRequest, ctx: ToolContext): ToolResult {
  switch (outcome.kind) {
    case 'bad_pattern':
      return errorResult(
        inLocale(
          ctx,
          `The pattern cannot be used: ${outcome.message} Look-around and backreferences are not supported; for plain text set literal.`,
          `模式无法使用，语法有误${placeZh(outcome.message)}。不支持环视和反向引用；搜索普通文本请设置 literal。`,
        ),
      );
    case 'refused':
      throw new WorkspaceError(outcome.code, outcome.message, outcome.messageZh);
    case 'overrun':
      return errorResult(
        inLocale(
          ctx,
          'The search took too much time or memory. Search a smaller directory or use a simpler pattern.',
          '搜索耗费的时间或内存过多。请缩小目录或简化模式。',
        ),
      );
    case 'searched':
      return foundResult(outcome, pattern, ctx);
  }
}

function foundResult(outcome: Extract<FileSearchOutcome, { kind: 'searched' }>, pattern: string, ctx: ToolContext): ToolResult {
  const { matches, filesSearched, filesSkipped, ignored, keyFiles, stopped } = outcome;
  const details = {
    matches: matches.length,
    filesSearched,
    filesSkipped,
    ignored: ignored > 0 ? ignored : undefined,
    keyFiles: keyFiles.length > 0 ? keyFiles : undefined,
    stopped,
  };
  const lines = matches.map(({ path, line, text }) => `${visibleName(path)}:${line}:${text}`);
  if (lines.length === 0)
    lines.push(
      inLocale(
        ctx,
        `No line matches ${pattern} (${filesSearched} files searched).`,
        `没有与 ${pattern} 相符的行（搜索了 ${filesSearched} 个文件）。`,
      ),
    );
  if (matches.length === 0 && ignored > 0) lines.push(ignoredText(ignored, ctx));
  if (keyFiles.length > 0) lines.push(keyFilesText(keyFiles, ctx));
  if (stopped) lines.push(stoppedText(stopped, ctx));
  return textResult(lines.join('\n'), details, { items: matches });
}

const ignoredText = (ignored: number, ctx: ToolContext): string =>
  inLocale(
    ctx,
    `[Not searched, because a .gitignore names them: ${ignored} files and directories. To search them, set include_ignored.]`,
    `[未搜索 .gitignore 所列的 ${ignored} 个文件和目录。如需搜索，请设置 include_ignored。]`,
  );

function keyFilesText(keyFiles: readonly string[], ctx: ToolContext): string {
  const names = keyFiles.join(', ');
  return inLocale(
    ctx,
    `[Not searched, because they may hold keys or passwords: ${names}. To search one, name it in path; a person is asked first.]`,
    `[未搜索以下可能含有密钥或密码的文件：${names}。如需搜索，请在 path 中指明该文件；会先征求用户同意。]`,
  );
}

function stoppedText(stopped: 'results' | 'time' | 'files', ctx: ToolContext): string {
  switch (stopped) {
    case 'results':
      return inLocale(
        ctx,
        '[There are more matches; narrow the search or raise max_results.]',
        '[还有更多匹配，请缩小范围或调大 max_results。]',
      );
    case 'time':
      return inLocale(ctx, '[Time was up before every file was searched; narrow the search.]', '[时间已到，未搜索全部文件，请缩小范围。]');
    case 'files':
      return inLocale(ctx, '[Too many files to search them all; name a directory.]', '[文件太多，未全部搜索，请指定目录。]');
  }
}
