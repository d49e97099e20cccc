import { Type } from '@sinclair/typebox';
import { defineTool, inLocale, textResult } from '../common';
import { lookAlikeNote } from '../look_alike_path';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { workspaceRefusal } from '../workspace_refusal';

const FileMkdirParameters = Type.Object(
  {
    path: pathParameter('Directory to make'),
  },
  { additionalProperties: false },
);

export const fileMkdirTool = defineTool({
  name: 'file_mkdir',
  toolset: 'files',
  label: 'Make directory',
  description:
    'Creates a directory in the workspace with its parents; leaves an existing directory unchanged. Writing a file creates its directories, so use this only for a directory that stays empty for now.',
  whenToUse: 'A directory is needed before anything is in it',
  effect: 'write',
  workspace: 'change',
  translations: {
    'zh-CN': {
      label: '创建目录',
      description:
        '在工作区中创建目录，连同所需的上级目录；已存在的目录保持不变。写文件时会自动创建目录，因此只在需要一个暂时为空的目录时使用。',
      whenToUse: '需要一个暂时为空的目录',
      parameters: { path: pathTextZhCn('要创建的目录') },
    },
  },
  parameters: FileMkdirParameters,
  async execute({ path }, ctx) {
    try {
      const alike = await lookAlikeNote(path, ctx);
      const { created } = await ctx.workspace.makeDirectory(path);
      const name = ctx.workspace.relative(path);
      const text = created
        ? inLocale(ctx, `Made the directory ${name}.${alike}`, `已创建目录 ${name}。${alike}`)
        : inLocale(ctx, `The directory ${name} exists already.`, `目录 ${name} 已存在。`);
      return textResult(text, { path: name, created });
    } catch (thrown) {
      return workspaceRefusal(thrown, path, ctx);
    }
  },
});
