import { Type } from '@sinclair/typebox';
import { WorkspaceError } from '../../port/workspace';
import { defineTool, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { removeFile, staleRefusal } from '../file_change';
import { onExistingPath } from '../look_alike_path';
import { pathParameter, pathTextZhCn } from '../workspace_path';
import { MAX_FILE_BYTES } from '../workspace_refusal';
import { writtenDiff } from '../written_diff';

const FileDeleteParameters = Type.Object({ path: pathParameter('File to delete') }, { additionalProperties: false });

export const fileDeleteTool = defineTool({
  name: 'file_delete',
  toolset: 'files',
  label: 'Delete file',
  description:
    'Deletes one file of the workspace. Use it only when the request calls for it; the person can undo it for a while, you cannot. Refuses directories, and files that another writer changed since you last read or wrote them.',
  whenToUse: 'The request wants a file gone',
  effect: 'write',
  workspace: 'change',
  translations: {
    'zh-CN': {
      label: '删除文件',
      description:
        '删除工作区中的一个文件。只在请求确实需要时使用；用户可以在一段时间内撤销，你不能。不能删除目录；文件在你上次读写后被他人改动时会拒绝。',
      whenToUse: '请求要求删掉某个文件',
      parameters: { path: pathTextZhCn('要删除的文件') },
    },
  },
  parameters: FileDeleteParameters,
  async planDiff({ path }, ctx) {
    const bytes = await ctx.workspace.readFile(path, { maxBytes: MAX_FILE_BYTES });
    return (await writtenDiff(ctx, { path: ctx.workspace.relative(path), previous: { kind: 'bytes', bytes } })).diff;
  },
  async execute({ path }, ctx) {
    return onExistingPath(path, ctx, found => ctx.workspace.withFileLock(found, () => deleteFile(found, ctx)));
  },
});

async function deleteFile(path: string, ctx: ToolContext): Promise<ToolResult> {
  const name = ctx.workspace.relative(path);
  const before = await ctx.workspace.readFile(path, { maxBytes: MAX_FILE_BYTES }).catch(tooLargeToKeep);
  const stale = before && (await staleRefusal(name, before, ctx));
  if (stale) return stale;
  const { undoable } = await removeFile(ctx, { path, before });
  const change = before ? await writtenDiff(ctx, { path: name, previous: { kind: 'bytes', bytes: before } }) : {};
  return textResult(inLocale(ctx, `Deleted ${name}.`, `已删除 ${name}。`), { path: name, ...change, undoable: undoable || undefined });
}

function tooLargeToKeep(thrown: unknown): undefined {
  if (thrown instanceof WorkspaceError && thrown.code === 'too_large') return undefined;
  throw thrown;
}
