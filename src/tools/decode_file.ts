/** Files as text, whatever their size: the older encodings take 30 ms per MiB and more, which is too long for everybody else to wait. */
import { isUtf8 } from 'node:buffer';
import type { DecodedText } from '../port/decoded_text';
import type { ToolContext } from './common';
import { runCpuTask } from './cpu_tasks';

const MAX_INLINE_BYTES = 256 * 1024;

/** As decodeText; large files that are not plainly UTF-8 are decoded in another thread. */
export function decodeFile(bytes: Uint8Array, ctx: Pick<ToolContext, 'cpuTasks' | 'signal'>): Promise<DecodedText> {
  return runCpuTask('decodeText', bytes, { isLarge: bytes.length > MAX_INLINE_BYTES && !isUtf8(bytes), ctx });
}
