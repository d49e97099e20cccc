/** Cases of suites, as the store keeps them. A suite is the cases with its name. Times are milliseconds since 1970. */
import { type Static, Type } from '@sinclair/typebox';
import type { Page, PageRequest } from '../../../port/store/page';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional } from '../../../utils/schema_types';
import type { RecordedRun } from './recorded_run';

const MAX_TEXT_UNITS = 2_000;
const text = (options: object) => Type.String({ minLength: 1, maxLength: MAX_TEXT_UNITS, ...options });

/** What a replay of a case must fulfil. */
export const SuiteChecks = closedObject({
  answerContains: Optional.Array(text({}), { maxItems: 20, ...says('texts that the answer contains', '回答中包含的文本') }),
  toolsCalled: Optional.Array(text({}), { maxItems: 20, ...says('names of tools that are called', '被调用的工具的名称') }),
  costAtMostUsd: Optional.Number({ minimum: 0, ...says('most cost in USD', '最高费用，美元') }),
  sameCalls: Optional.Literal(true, says('the calls are those of the run', '调用与该运行相同')),
  sameAnswer: Optional.Literal(true, says('the answer is that of the run', '回答与该运行相同')),
  judge: Type.Optional(
    text(says('a criterion by which a model judges the answer; this calls the default model', '由模型据以评判回答的标准；会调用默认模型')),
  ),
});
export type SuiteChecks = Static<typeof SuiteChecks>;

/** The newest result of a case. */
export interface CaseOutcome {
  at: number;
  passed: boolean;
  /** The model that was called; absent: the recorded answers were used. */
  model?: string;
  /** The checks that failed. */
  failed: readonly string[];
}

export interface SuiteCaseRecord {
  tenantId: string;
  id: string;
  suite: string;
  title: string;
  runId: string;
  /** The session of the run. Absent in cases of an earlier version. */
  sessionId?: string;
  agent: string;
  checks: SuiteChecks;
  /** A copy, so that the case outlives the run. */
  recorded: RecordedRun;
  keyName: string;
  createdAt: number;
  outcome?: CaseOutcome;
}

/** A case without its recorded run, which may be long. */
export type SuiteCase = Omit<SuiteCaseRecord, 'recorded'>;

export interface SuiteCount {
  suite: string;
  count: number;
}

export interface SuiteReader {
  get(tenantId: string, id: string): Promise<SuiteCaseRecord | undefined>;
  /** The cases of all suites of the tenant, oldest first of each suite, in the order of the names of the suites. */
  cases(tenantId: string): Promise<SuiteCase[]>;
  /** Counts the cases of each suite of the tenant. */
  counts(tenantId: string): Promise<SuiteCount[]>;
  /** Lists cases with their recorded runs, oldest first. */
  list(tenantId: string, page: PageRequest): Promise<Page<SuiteCaseRecord>>;
}

export interface SuiteWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(suiteCase: SuiteCaseRecord): Promise<void>;
  setOutcome(tenantId: string, id: string, outcome: CaseOutcome): Promise<void>;
  /** Resolves false when there is no such case in the suite. */
  deleteCase(tenantId: string, suite: string, id: string): Promise<boolean>;
  /** Resolves false when the suite has no case. */
  deleteSuite(tenantId: string, suite: string): Promise<boolean>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly suites: SuiteReader;
  }
  interface StoreWriters {
    suites: SuiteWriter;
  }
}
