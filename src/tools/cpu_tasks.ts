/** Work whose time grows with what it is given: pure functions, known by name, so that each can run in a thread of its own. */
import { calculate } from './data_services/calculator';
import { processJson } from './data_services/json_text';
import { measureText, reverseText, wordCount } from './data_services/text_statistics';
import { decodeText } from './text_codec';

export const CPU_TASKS = {
  calculate,
  processJson,
  measureText,
  wordCount,
  reverseText,
  // Bytes arrive in a thread without the methods of a Buffer.
  decodeText: (bytes: Uint8Array) => decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
} as const;

export type CpuTask = keyof typeof CPU_TASKS;
export type CpuTaskInput<T extends CpuTask> = Parameters<(typeof CPU_TASKS)[T]>[0];
export type CpuTaskResult<T extends CpuTask> = ReturnType<(typeof CPU_TASKS)[T]>;

export interface CpuTasks {
  /** Rejects with ToolInputError when it takes more time or memory than is allowed, and with the signal's reason when it aborts. */
  run<T extends CpuTask>(task: T, input: CpuTaskInput<T>, signal: AbortSignal): Promise<CpuTaskResult<T>>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** `isLarge` work goes to a thread where there are threads; what is small is done before a thread would have started. */
export async function runCpuTask<T extends CpuTask>(
  task: T,
  input: CpuTaskInput<T>,
  { isLarge, ctx }: { isLarge: boolean; ctx: { cpuTasks?: CpuTasks; signal: AbortSignal } },
): Promise<CpuTaskResult<T>> {
  if (isLarge && ctx.cpuTasks) return ctx.cpuTasks.run(task, input, ctx.signal);
  const work = CPU_TASKS[task] as (given: CpuTaskInput<T>) => CpuTaskResult<T>;
  return work(input);
}
