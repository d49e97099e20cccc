/** Decodes files of any size without blocking the event loop: older encodings take 30 ms per MiB and more. */
import { isUtf8 } from 'node:buffer';
import type { DecodedText } from '../port/decoded_text';
import type { ToolContext } from './common';
import { runCpuTask } from './cpu_tasks';

const MAX_INLINE_BYTES = 256 * 1024;

/** Like decodeText, but decodes large files that are not UTF-8 in another thread. */
export function decodeFile(bytes: Uint8Array, ctx: Pick<ToolContext, 'cpuTasks' | 'signal'>): Promise<DecodedText> {
  return runCpuTask('decodeText', bytes, { isLarge: bytes.length > MAX_INLINE_BYTES && !isUtf8(bytes), ctx });
}
