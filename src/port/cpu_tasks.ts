/** CPU-bound work of the tools, run in worker threads so that it does not block the event loop. */
import type { ReadResult } from '../utils/read_chats';
import type { DecodedText } from './decoded_text';

/** Input and result of each task. Both cross a thread boundary, so they must survive structured cloning. */
export interface CpuTaskTypes {
  calculate: { input: string; result: Calculation };
  processJson: { input: { text: string; operation: JsonOperation }; result: JsonAnswer };
  measureText: { input: string; result: TextStatistics };
  wordCount: { input: string; result: number };
  reverseText: { input: string; result: string };
  decodeText: { input: Uint8Array; result: DecodedText };
  /** `not_json`, or `unknown_form` for JSON that is no export of a known program. */
  readChatFile: { input: Uint8Array; result: readonly ReadResult[] | 'not_json' | 'unknown_form' };
}

export type CpuTask = keyof CpuTaskTypes;
export type CpuTaskInput<T extends CpuTask> = CpuTaskTypes[T]['input'];
export type CpuTaskResult<T extends CpuTask> = CpuTaskTypes[T]['result'];

/**
 * One worker thread per task; tasks wait in a queue while all threads are busy.
 * @example
 * import type { CpuTasks } from './cpu_tasks';
 *
 * export const countWords = (tasks: CpuTasks, text: string): Promise<number> => tasks.run('wordCount', text, AbortSignal.timeout(5_000));
 */
export interface CpuTasks {
  /** Rejects with CpuTaskOverrun when the task exceeds its time or memory limit, and with the signal's reason when it aborts. */
  run<T extends CpuTask>(task: T, input: CpuTaskInput<T>, signal: AbortSignal): Promise<CpuTaskResult<T>>;
  /** Terminates the running tasks and rejects the waiting ones. */
  close(): Promise<void>;
}

/** A task exceeded its limit and was terminated. */
export class CpuTaskOverrun extends Error {
  constructor(readonly limit: 'time' | 'memory') {
    super(`The task took more ${limit} than is allowed.`);
    this.name = 'CpuTaskOverrun';
  }
}

export type Calculation =
  | {
      ok: true;
      /** The value in decimal digits, or as 1.5e+300 when it is very large or very small. */
      value: string;
      /** The value has more digits than are shown. */
      isRounded: boolean;
    }
  | { ok: false; error: string; errorZh: string };

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
export type JsonOperation = 'parse' | 'format' | 'keys' | 'validate';

export type JsonAnswer =
  | { ok: false; problem: 'not_json' | 'too_long'; error: string; errorZh: string }
  /** `text`: the compact or the indented form. */
  | { ok: true; kind: JsonKind; text: string; keys: string[]; keyCount: number };

export interface TextStatistics {
  characters: number;
  words: number;
  lines: number;
  /** Length in bytes as UTF-8. */
  bytes: number;
}
