import { Type } from '@sinclair/typebox';
import type { DirectoryEntry } from '../../port/workspace';
import { formatBytes } from '../../utils/format_bytes';
import { visibleName } from '../../utils/look_alike_names';
import { defineTool, inLocale, type ToolContext, textResult } from '../common';
import { onExistingPath } from '../look_alike_path';
import { optionalPathParameter, optionalPathTextZhCn } from '../workspace_path';

const MAX_ENTRIES = 500;

const ListDirParameters = Type.Object(
  {
    path: optionalPathParameter('Directory to list'),
  },
  { additionalProperties: false },
);

export const listDirTool = defineTool({
  name: 'list_dir',
  toolset: 'base',
  label: 'List directory',
  description:
    'Lists one directory of the workspace in name order: type (dir, file, link, other), size and name of each entry, hidden ones too. ' +
    `Use it to learn what exists before you name paths. Shows at most ${MAX_ENTRIES} entries and does not go into subdirectories.`,
  whenToUse: 'You do not know what is in a directory',
  promptOrder: 20,
  effect: 'read',
  workspace: 'find',
  // Sizes of files change without any change of the directory.
  isVolatile: true,
  translations: {
    'zh-CN': {
      label: '列出目录',
      description:
        '按名称顺序列出工作区中的一个目录：每个条目的类型（dir、file、link、other）、大小和名称，包括隐藏条目。' +
        `在引用路径之前用它了解有哪些内容。最多显示 ${MAX_ENTRIES} 个条目，不进入子目录。`,
      whenToUse: '不清楚目录里有什么',
      parameters: { path: optionalPathTextZhCn('要列出的目录') },
    },
  },
  parameters: ListDirParameters,
  async execute({ path: asked = '.' }, ctx) {
    return onExistingPath(asked, ctx, async path => {
      const entries = await ctx.workspace.list(path);
      const name = ctx.workspace.relative(path);
      const shown = entries.slice(0, MAX_ENTRIES);
      const text = [headerText(name, entries, ctx), ...shown.map(entryLine)].join('\n');
      const items = shown.map(({ name, kind, size, modifiedAt }) => ({ name, kind, size, modifiedAt: new Date(modifiedAt).toISOString() }));
      return textResult(text, { path: name, entries: entries.length, truncated: entries.length > MAX_ENTRIES }, { items });
    });
  },
});

function headerText(path: string, entries: readonly DirectoryEntry[], ctx: ToolContext): string {
  const name = path === '.' ? inLocale(ctx, 'The workspace', '工作区') : path;
  if (entries.length === 0) return inLocale(ctx, `${name} is empty.`, `${name} 是空目录。`);
  const hidden = entries.length - MAX_ENTRIES;
  const en = `${name}: ${entries.length} entries${hidden > 0 ? `, the first ${MAX_ENTRIES} shown` : ''}`;
  return inLocale(ctx, en, `${name}：共 ${entries.length} 个条目${hidden > 0 ? `，只显示前 ${MAX_ENTRIES} 个` : ''}`);
}

const TYPE_WORDS = { directory: 'dir', file: 'file', symlink: 'link', other: 'other' } as const;

function entryLine(entry: DirectoryEntry): string {
  const size = entry.kind === 'file' ? formatBytes(entry.size) : '-';
  const end = entry.kind === 'directory' ? '/' : '';
  return `${TYPE_WORDS[entry.kind].padEnd(5)} ${size.padStart(9)}  ${visibleName(entry.name)}${end}`;
}
