/** Work whose time grows with what it is given: pure functions, known by name, so that each can run in a thread of its own. */
import { calculate } from './data_services/calculator';
import { processJson } from './data_services/json_text';
import { measureText, reverseText, wordCount } from './data_services/text_statistics';
import { decodeText } from './text_codec';

export const HEAVY_TASKS = {
  calculate,
  processJson,
  measureText,
  wordCount,
  reverseText,
  // Bytes arrive in a thread without the methods of a Buffer.
  decodeText: (bytes: Uint8Array) => decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
} as const;

export type HeavyTask = keyof typeof HEAVY_TASKS;
export type HeavyInput<T extends HeavyTask> = Parameters<(typeof HEAVY_TASKS)[T]>[0];
export type HeavyAnswer<T extends HeavyTask> = ReturnType<(typeof HEAVY_TASKS)[T]>;

export interface HeavyWork {
  /** Rejects with ToolInputError when it takes more time or memory than is allowed, and with the signal's reason when it aborts. */
  run<T extends HeavyTask>(task: T, input: HeavyInput<T>, signal: AbortSignal): Promise<HeavyAnswer<T>>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** `isLarge` work goes to a thread where there are threads; what is small is done before a thread would have started. */
export async function runHeavy<T extends HeavyTask>(
  task: T,
  input: HeavyInput<T>,
  { isLarge, ctx }: { isLarge: boolean; ctx: { heavyWork?: HeavyWork; signal: AbortSignal } },
): Promise<HeavyAnswer<T>> {
  if (isLarge && ctx.heavyWork) return ctx.heavyWork.run(task, input, ctx.signal);
  const work = HEAVY_TASKS[task] as (given: HeavyInput<T>) => HeavyAnswer<T>;
  return work(input);
}
