/** The parts of a command of the command line. */
import type { NetaClient } from '../../clients/typescript/src/client';
import type { Bilingual } from '../utils/bilingual';
import type { Output } from './output';
import { type Language, TEXTS } from './texts';

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2, incomplete: 3, unreachable: 4, interrupted: 130 } as const;

/** The arguments were wrong; the message says what to write. */
export class UsageError extends Error {}

export interface Invocation {
  /** Arguments behind the name of the command, without options. */
  args: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  client: NetaClient;
  /** Returns a client that sends a request once and waits as long as it takes: a repetition would pay for its model calls again. */
  clientForPaidRequests(): NetaClient;
  /** Returns a client like `client` for another address. */
  clientAt(url: string): NetaClient;
  /** Address of the gateway. */
  url: string;
  output: Output;
  language: Language;
  env: NodeJS.ProcessEnv;
}

export interface Command {
  /** Arguments as the help shows them: `<needed>`, `[optional]`, `...` for any number. */
  usage: string;
  summary: Bilingual;
  options?: Readonly<Record<string, { type: 'string' | 'boolean'; summary: Bilingual }>>;
  /** Runs the command. Resolves with the exit code. Rejects with UsageError or NetaError. */
  run(invocation: Invocation): Promise<number>;
}

/** Prints the rows of `data` that `toRow` makes for a person, `data` itself for --json. */
export function list<T extends object>(
  { output, language }: Invocation,
  data: readonly T[],
  toRow: (value: T) => Record<string, unknown>,
): number {
  if (output.isJson) for (const value of data) output.json(value);
  else if (data.length === 0) output.note(TEXTS.none[language]);
  else output.table(data.map(toRow));
  return EXIT.done;
}
