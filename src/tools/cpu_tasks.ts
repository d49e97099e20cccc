/** The tasks of the port as pure functions, known by name so that a worker thread can run each of them. */
import { type CpuTask, type CpuTaskInput, CpuTaskOverrun, type CpuTaskResult, type CpuTasks } from '../port/cpu_tasks';
import { readChatFile } from '../utils/read_chats';
import { ToolInputError } from './common';
import { calculate } from './data_services/calculator';
import { processJson } from './data_services/json_text';
import { measureText, reverseText, wordCount } from './data_services/text_statistics';
import { decodeText } from './text_codec';

export const CPU_TASKS: { readonly [T in CpuTask]: (input: CpuTaskInput<T>) => CpuTaskResult<T> } = {
  calculate,
  processJson,
  measureText,
  wordCount,
  reverseText,
  // Structured cloning turns a Buffer into a plain Uint8Array.
  decodeText: bytes => decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  readChatFile: bytes => readChatFile(new TextDecoder().decode(bytes)),
};

/** Runs large work in a worker thread where there are threads. Smaller work takes less time than starting a thread, so it runs here. */
export async function runCpuTask<T extends CpuTask>(
  task: T,
  input: CpuTaskInput<T>,
  { isLarge, ctx }: { isLarge: boolean; ctx: { cpuTasks?: CpuTasks; signal: AbortSignal } },
): Promise<CpuTaskResult<T>> {
  if (!isLarge || !ctx.cpuTasks) return CPU_TASKS[task](input);
  try {
    return await ctx.cpuTasks.run(task, input, ctx.signal);
  } catch (error) {
    if (!(error instanceof CpuTaskOverrun)) throw error;
    throw new ToolInputError(
      `This took more ${error.limit} than is allowed. Give it less at a time.`,
      `超出了允许的${error.limit === 'time' ? '时间' : '内存'}。请每次少给一些。`,
    );
  }
}
