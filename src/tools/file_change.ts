/** Changes a file for the file tools: refuses to overwrite the changes of others, and keeps the previous content for undo. */
import { errorResult, inLocale, type ToolContext, type ToolResult } from './common';

/** The content of a file before a change. `unknown`: the file exists but is too large to keep. */
export type PreviousContent = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'absent' } | { kind: 'unknown' };

/** Resolves with the refusal when the file has changed since this session last read or wrote it. */
export async function staleRefusal(path: string, current: Uint8Array, ctx: ToolContext): Promise<ToolResult | undefined> {
  if (!(await ctx.fileLedger?.isStale(path, current))) return undefined;
  const en = `${path} has changed since you last read or wrote it, so nothing was written. Another writer changed it: read it again, then apply your change to its current content.`;
  const zh = `${path} 在你上次读取或写入之后已被改动，因此未写入任何内容。可能有其他人在修改：请先重新读取该文件，再基于现有内容修改。`;
  return errorResult(inLocale(ctx, en, zh), { code: 'stale' });
}

/** Writes the file; call it inside the file's lock. `undoable`: the previous content is kept for undo. `version`: as FileLedger.note returns it. */
export async function changeFile(
  ctx: ToolContext,
  change: { path: string; previous: PreviousContent; bytes: Uint8Array },
): Promise<{ created: boolean; undoable: boolean; version?: string }> {
  const path = ctx.workspace.relative(change.path);
  const undoable = await keepPrevious(ctx, { ...change, path });
  // The last point where a cancelled call can stop without a change.
  ctx.signal.throwIfAborted();
  const { created } = await ctx.workspace.writeFile(change.path, change.bytes);
  return { created, undoable, version: ctx.fileLedger?.note(path, change.bytes) };
}

/** Removes the file; call it inside the file's lock. `before` is absent when the content is too large to keep. */
export async function removeFile(ctx: ToolContext, file: { path: string; before?: Uint8Array }): Promise<{ undoable: boolean }> {
  const { before } = file;
  const path = ctx.workspace.relative(file.path);
  const undoable =
    before !== undefined && ctx.changes !== undefined && (await ctx.changes.keep({ toolCallId: ctx.toolCallId, path, before }));
  ctx.signal.throwIfAborted();
  await ctx.workspace.removeFile(path);
  return { undoable };
}

async function keepPrevious(ctx: ToolContext, change: { path: string; previous: PreviousContent; bytes: Uint8Array }): Promise<boolean> {
  const { path, previous, bytes: after } = change;
  if (!ctx.changes || previous.kind === 'unknown') return false;
  const { toolCallId } = ctx;
  if (previous.kind === 'absent') return ctx.changes.keep({ toolCallId, path, after });
  return Buffer.compare(previous.bytes, after) !== 0 && ctx.changes.keep({ toolCallId, path, before: previous.bytes, after });
}
