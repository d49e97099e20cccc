/** The diff of a file that a tool wrote or deleted, for people. The model gets none: it knows what it wrote. */
import type { ToolContext } from './common';
import { decodeFile } from './decode_file';
import type { PreviousContent } from './file_change';
import { isKeyFile } from './files/key_files';
import { shortDiff } from './short_diff';

/** Longer files are not compared: decoding and comparing them would hold up the event loop. */
const MAX_COMPARED_BYTES = 1024 * 1024;

type DiffContext = Pick<ToolContext, 'locale' | 'cpuTasks' | 'signal'>;

/** What a call says of its change. Everything is absent for a file that was not compared. */
export interface WrittenDiff {
  /** Unified diff, clipped. */
  diff?: string | undefined;
  /** Lines that the whole change adds and removes, when `diff` is clipped and they could be counted. */
  added?: number | undefined;
  removed?: number | undefined;
}

/**
 * Compares the file; a new file is all added lines, and a deleted one (no `bytes`) all removed lines. Compares no file that is no text, too long, unchanged,
 * or likely to hold keys: the diff is stored with the call.
 */
export async function writtenDiff(
  ctx: DiffContext,
  { path, previous, bytes = Buffer.alloc(0) }: { path: string; previous: PreviousContent; bytes?: Uint8Array },
): Promise<WrittenDiff> {
  if (previous.kind === 'unknown' || isKeyFile(path)) return {};
  const before = previous.kind === 'bytes' ? previous.bytes : Buffer.alloc(0);
  if (Math.max(before.length, bytes.length) > MAX_COMPARED_BYTES) return {};
  const [old, written] = await Promise.all([before, bytes].map(content => textOf(content, ctx)));
  if (old === undefined || written === undefined) return {};
  const { text, added, removed } = shortDiff(path, old, written, ctx.locale);
  return text ? { diff: text, added, removed } : {};
}

async function textOf(bytes: Uint8Array, ctx: DiffContext): Promise<string | undefined> {
  if (bytes.length === 0) return '';
  const decoded = await decodeFile(bytes, ctx);
  return decoded.kind === 'text' && decoded.lossless ? decoded.text : undefined;
}
