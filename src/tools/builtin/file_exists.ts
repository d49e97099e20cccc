import { Type } from '@sinclair/typebox';
import { WorkspaceError } from '../../port/workspace';
import { distinctName } from '../../utils/look_alike_names';
import { defineTool, errorResult, inLocale, textResult } from '../common';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { elsewhereText, workspaceRefusal } from '../workspace_refusal';

const FileExistsParameters = Type.Object(
  {
    path: pathParameter('Path to look for'),
  },
  { additionalProperties: false },
);

export const fileExistsTool = defineTool({
  name: 'file_exists',
  toolset: 'files',
  label: 'Check path',
  description:
    'Says whether a path exists in the workspace, and whether it is a file or a directory. Use it before work that depends on the answer; it does not show contents.',
  whenToUse: 'The next step depends on whether a path exists',
  effect: 'read',
  workspace: 'find',
  // People change the same directory, so a cached result may be wrong.
  isVolatile: true,
  translations: {
    'zh-CN': {
      label: '检查路径',
      description: '判断工作区中某个路径是否存在，以及它是文件还是目录。后续工作取决于此时使用；它不显示内容。',
      whenToUse: '下一步取决于某个路径是否存在',
      parameters: { path: pathTextZhCn('要检查的路径') },
    },
  },
  parameters: FileExistsParameters,
  async execute({ path }, ctx) {
    try {
      const { kind, size } = await ctx.workspace.stat(path);
      const name = ctx.workspace.relative(path);
      const what = kind === 'directory' ? inLocale(ctx, 'a directory', '目录') : inLocale(ctx, 'a file', '文件');
      return textResult(inLocale(ctx, `${name} exists: ${what}.`, `${name} 存在，是${what}。`), { path: name, exists: true, kind, size });
    } catch (thrown) {
      if (!(thrown instanceof WorkspaceError) || (thrown.code !== 'not_found' && thrown.code !== 'not_a_directory')) {
        return workspaceRefusal(thrown, path, ctx);
      }
      const elsewhere = await elsewhereText(path, ctx);
      if (elsewhere !== undefined) return errorResult(elsewhere, { code: 'not_found' });
      const name = ctx.workspace.relative(path);
      const alike = (await ctx.workspace.lookAlikes(path)).map(distinctName).join(', ');
      const note = alike && inLocale(ctx, ` These look the same: ${alike}.`, `看起来相同的有：${alike}。`);
      return textResult(inLocale(ctx, `${name} does not exist.${note}`, `${name} 不存在。${note}`), { path: name, exists: false });
    }
  },
});
