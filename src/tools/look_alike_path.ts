/** Lets file tools find a file whose name looks like the asked one, and say so: a model cannot always write U+202F or a decomposed letter. */
import { posix } from 'node:path';
import { WorkspaceError } from '../port/workspace';
import { distinctName } from '../utils/look_alike_names';
import { inLocale, type ToolContext, type ToolResult } from './common';
import { isKeyFile } from './files/key_files';
import { workspaceRefusal } from './workspace_refusal';

/**
 * Runs `work` on a path that must exist. When it rejects with `not_found`, and exactly one existing path looks the same, runs `work` on that one and
 * says so in the result. `work` must do nothing before it rejects with `not_found`. Other WorkspaceErrors become error results.
 */
export async function onExistingPath(path: string, ctx: ToolContext, work: (path: string) => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work(path);
  } catch (thrown) {
    const isMissing = thrown instanceof WorkspaceError && thrown.code === 'not_found';
    const [found, ...others] = isMissing ? await ctx.workspace.lookAlikes(path) : [];
    if (found === undefined || others.length > 0) return workspaceRefusal(thrown, path, ctx);
    // The approval was given for the written name, which is no key file.
    if (isKeyFile(found) && !isKeyFile(path)) return workspaceRefusal(thrown, path, ctx);
    return onLookAlike(found, ctx, work);
  }
}

async function onLookAlike(found: string, ctx: ToolContext, work: (path: string) => Promise<ToolResult>): Promise<ToolResult> {
  try {
    const result = await work(found);
    const used = distinctName(found);
    const note = inLocale(ctx, `Used ${used}: the only path that looks the same.`, `已使用唯一看起来相同的路径：${used}。`);
    return { ...result, content: `${note}\n${result.content}`, details: { ...result.details, path: found } };
  } catch (thrown) {
    return workspaceRefusal(thrown, found, ctx);
  }
}

/** Resolves with a sentence for a new path that looks like an existing one, or ''. Call it before the file is made. */
export async function lookAlikeNote(path: string, ctx: ToolContext): Promise<string> {
  for (let whole = ctx.workspace.relative(path); whole !== '.'; whole = posix.dirname(whole)) {
    const others = await ctx.workspace.lookAlikes(whole);
    if (others.length === 0) {
      if (await exists(posix.dirname(whole), ctx)) return '';
      continue;
    }
    const [made, existing] = [distinctName(whole), others.map(distinctName).join(', ')];
    return inLocale(
      ctx,
      ` ${made} is new: it only looks like ${existing}, which was not changed.`,
      `${made} 是新建的：它只是看起来与 ${existing} 相同，后者未改动。`,
    );
  }
  return '';
}

function exists(path: string, { workspace }: ToolContext): Promise<boolean> {
  return workspace.stat(path).then(
    () => true,
    () => false,
  );
}
