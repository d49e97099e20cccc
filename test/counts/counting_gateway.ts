/** Starts a gateway that counts what it does, with a scripted model, and reads the counts. */
import { join } from 'node:path';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';

/** Totals since the start of the gateway. */
export interface Counts {
  /** SQL text in lower case -> number of executions. */
  statements: Record<string, number>;
  /** Events that the run waited for until they were on disk. */
  records: number;
  /** Complete events that were turned into JSON. */
  encodings: number;
  /** Garbage collections. */
  collections: number;
  /** Promises and waits for promises since countPromises. */
  promises: number;
  /** Used heap: without a collection between two readings, the difference is what was allocated. */
  heapBytes: number;
  /** What V8 holds, used or not. */
  heapTotalBytes: number;
  /** Milliseconds of processor time, of all threads. */
  cpuMs: number;
  /** Names of the packages from which modules are loaded. */
  packages: string[];
}

export interface CountingGateway {
  readonly gateway: Gateway;
  readonly model: MockModel;
  readCounts(): Promise<Counts>;
  /** Call it once, after the tests that measure the heap. */
  countPromises(): Promise<void>;
  stop(): Promise<void>;
}

/** A young generation so large that no test fills it: 256 MiB. */
const NO_COLLECTIONS = '--min-semi-space-size=256 --max-semi-space-size=256';

/** `flags`: options of Node. The gateway finds the database of an earlier start, as nearly every start does. */
export async function startCountingGateway(files: Record<string, string>, { flags = NO_COLLECTIONS } = {}): Promise<CountingGateway> {
  const model = await startMockModel();
  const gateway = await startGateway({
    files,
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none' },
    prefix: ['sh', '-c', `exec "$0" ${flags} --require "${join(__dirname, 'counting_probe.cjs')}" "$@"`],
  });
  await gateway.restart();
  const url = /counts on (http:\S+)/.exec(gateway.output())?.[1];
  if (!url) throw new Error(`the gateway does not count:\n${gateway.output()}`);
  return {
    gateway,
    model,
    readCounts: async () => (await (await fetch(url)).json()) as Counts,
    countPromises: async () => void (await fetch(`${url}/promises`)),
    async stop() {
      await gateway.stop();
      await model.stop();
    },
  };
}

/** Statements that ran between two readings: SQL text -> number. */
export function statementsBetween(before: Counts, after: Counts): Map<string, number> {
  const differences = Object.entries(after.statements).map(([sql, total]) => [sql, total - (before.statements[sql] ?? 0)] as const);
  return new Map(differences.filter(([, number]) => number > 0));
}
