/** Suites: cases made from recorded runs, which are replayed and checked. */
import { AppError, toAppError } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { Actor, Principal } from '../../../port/principal';
import type { Store } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import { OncePerKey } from '../../../service/once_per_key';
import { clipText } from '../../../utils/clip_text';
import { failedReplay, type Replay } from '../replay/compare';
import type { PaidCalls } from '../replay/paid_calls';
import type { ReplayCaller } from '../replay/replay_options';
import type { ReplayService } from '../replay/replay_service';
import type { RecordedRun } from '../store/recorded_run';
import type { SuiteCase, SuiteCaseRecord, SuiteChecks, SuiteCount } from '../store/suite_records';
import { createJudge } from './ask_judge';
import { type CheckResult, checkReplay, DEFAULT_CHECKS } from './case_checks';

/** Cases of a tenant, suites of a tenant, and cases of a suite. */
const [MAX_CASES, MAX_SUITES, MAX_CASES_OF_SUITE] = [500, 100, 200] as const;
/** Of a recorded run as JSON. */
const MAX_RECORDED_UNITS = 4 * 1024 * 1024;
const MAX_TITLE_UNITS = 80;

export interface CaseInput {
  runId: string;
  /** Name of the suite. */
  name: string;
  /** Absent: the beginning of the message of the run. */
  title?: string;
  checks?: SuiteChecks;
}

export interface CaseResult {
  caseId: string;
  title: string;
  passed: boolean;
  checks: readonly CheckResult[];
  replay: Replay;
  /** Milliseconds. */
  durationMs: number;
}

export interface SuiteResult {
  name: string;
  passed: number;
  failed: number;
  model?: string;
  cases: readonly CaseResult[];
}

export interface SuiteServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  paidCalls: PaidCalls;
  replays: ReplayService;
  auditLog: AuditRecorder;
}

export class SuiteService {
  constructor(private readonly deps: SuiteServiceDeps) {}

  /**
   * Adds a run to a suite, which begins with its first case. Rejects `not_found` and `not_recorded` for the run, `forbidden` for a run of a temporary
   * chat, `too_large` and `quota_exceeded`. With the key of an earlier request it resolves with the case of that request.
   */
  async addCase(principal: Principal, input: CaseInput, once = new OncePerKey()): Promise<SuiteCase> {
    const { store, clock, ids, replays, auditLog } = this.deps;
    const { tenantId, keyName } = principal;
    const sessionId = await this.keptSessionOf(tenantId, input.runId);
    const recorded = await replays.readRun(tenantId, input.runId);
    if (JSON.stringify(recorded).length > MAX_RECORDED_UNITS) throw tooLong();
    const { name: suite, title = clipText(recorded.input, MAX_TITLE_UNITS), checks = DEFAULT_CHECKS, runId } = input;
    const now = clock.now();
    const added: SuiteCaseRecord = {
      tenantId,
      id: ids.next('cas'),
      suite,
      title,
      runId,
      sessionId,
      agent: recorded.agent,
      checks,
      recorded,
      keyName,
      createdAt: now,
    };
    await store.transaction({ tenant: tenantId, ...once.lockOf(tenantId) }, tx =>
      once.makeOnce(tx, { tenantId, now }, async () => {
        assertRoom(await tx.suites.counts(tenantId), suite);
        await tx.suites.insert(added);
        await auditLog.record({ ...byActor(principal), action: 'suite.add', target: suite, details: { caseId: added.id, runId } }, tx);
        return added.id;
      }),
    );
    return once.replayedId === undefined ? added : this.getCase(tenantId, once.replayedId);
  }

  /** The cases of the tenant: of each suite the oldest first, in the order of the names of the suites. */
  listCases(tenantId: string): Promise<SuiteCase[]> {
    return this.deps.store.read.suites.cases(tenantId);
  }

  /** Rejects `not_found` when the suite has no case. */
  async casesOf(tenantId: string, suite: string): Promise<SuiteCase[]> {
    const cases = (await this.listCases(tenantId)).filter(row => row.suite === suite);
    if (cases.length === 0) throw noSuite();
    return cases;
  }

  /**
   * Replays each case and checks it, one after the other, and keeps the outcomes; with `caseId` this case alone. With a model or a judge the suite
   * counts as one run of the caller. Rejects `not_found` for the suite, the case and the model, and `quota_exceeded` and `rate_limited` before the first case. A later error is the result of
   * its case.
   */
  async runSuite(suite: string, { model, caseId }: { model?: string; caseId?: string }, caller: ReplayCaller): Promise<SuiteResult> {
    const cases = (await this.casesOf(caller.tenantId, suite)).filter(({ id }) => caseId === undefined || id === caseId);
    if (cases.length === 0) throw noCase();
    if (model !== undefined) this.deps.replays.assertModelExists(model);
    const isPaid = model !== undefined || cases.some(({ checks }) => checks.judge !== undefined);
    await this.deps.auditLog.record({ ...byActor(caller), action: 'suite.run', target: suite, details: { caseId, model } });
    const run = (counted: ReplayCaller) => this.runCases(cases, model, counted);
    const results = isPaid ? await this.deps.paidCalls.countAsRun(caller, run) : await run(caller);
    const passed = results.filter(result => result.passed).length;
    return { name: suite, passed, failed: results.length - passed, model, cases: results };
  }

  private async runCases(cases: readonly SuiteCase[], model: string | undefined, caller: ReplayCaller): Promise<CaseResult[]> {
    const results: CaseResult[] = [];
    for (const { id } of cases) {
      caller.signal.throwIfAborted();
      const found = await this.deps.store.read.suites.get(caller.tenantId, id);
      // Another caller may have deleted it since.
      if (found) results.push(await this.runCase(found, model, caller));
    }
    return results;
  }

  /** Rejects `not_found`. */
  async deleteSuite(actor: Actor, suite: string): Promise<void> {
    const { store, auditLog } = this.deps;
    await store.transaction('none', async tx => {
      if (!(await tx.suites.deleteSuite(actor.tenantId, suite))) throw noSuite();
      await auditLog.record({ ...byActor(actor), action: 'suite.delete', target: suite }, tx);
    });
  }

  /** Rejects `not_found`. */
  async deleteCase(actor: Actor, suite: string, id: string): Promise<void> {
    const { store, auditLog } = this.deps;
    await store.transaction('none', async tx => {
      if (!(await tx.suites.deleteCase(actor.tenantId, suite, id))) throw noCase();
      await auditLog.record({ ...byActor(actor), action: 'suite.remove', target: suite, details: { caseId: id } }, tx);
    });
  }

  private async runCase(
    { tenantId, id, title, checks, recorded }: SuiteCaseRecord,
    model: string | undefined,
    caller: ReplayCaller,
  ): Promise<CaseResult> {
    const { store, clock, paidCalls } = this.deps;
    const startedAt = clock.monotonic();
    const replay = await this.replayCase(recorded, model, caller);
    const results = await checkReplay(checks, replay, createJudge(paidCalls.modelsFor(caller, recorded.agent), caller.signal));
    caller.signal.throwIfAborted();
    const failed = results.flatMap(result => (result.passed ? [] : [result.check]));
    const outcome = { at: clock.now(), passed: failed.length === 0, model, failed };
    await store.transaction('none', tx => tx.suites.setOutcome(tenantId, id, outcome));
    return { caseId: id, title, passed: outcome.passed, checks: results, replay, durationMs: Math.round(clock.monotonic() - startedAt) };
  }

  /** An error of a replay is its result. Rejects with the reason of the signal. */
  private async replayCase(recorded: RecordedRun, model: string | undefined, caller: ReplayCaller): Promise<Replay> {
    try {
      return await this.deps.replays.replay(recorded, { model }, caller);
    } catch (thrown) {
      caller.signal.throwIfAborted();
      return failedReplay(recorded, toAppError(thrown), model);
    }
  }

  /** Resolves with the session of the run. Rejects `forbidden` for a run of a temporary chat. */
  private async keptSessionOf(tenantId: string, runId: string): Promise<string | undefined> {
    const { runs, sessions } = this.deps.store.read;
    const run = await runs.get(tenantId, runId);
    const session = run && (await sessions.get(tenantId, run.sessionId));
    if (session?.temporary) throw isTemporary();
    return run?.sessionId;
  }

  private async getCase(tenantId: string, id: string): Promise<SuiteCase> {
    const found = await this.deps.store.read.suites.get(tenantId, id);
    if (!found) throw noCase();
    return found;
  }
}

const noSuite = (): AppError =>
  new AppError('not_found', { param: '/name', message: 'There is no such suite.', messageZh: '没有这个测试集。' });
const noCase = (): AppError =>
  new AppError('not_found', { param: '/caseId', message: 'There is no such case.', messageZh: '没有这个用例。' });

const isTemporary = (): AppError =>
  new AppError('forbidden', {
    param: '/runId',
    message: 'A run of a temporary chat cannot be added to a suite: nothing of the chat is kept.',
    messageZh: '临时对话的运行不能加入测试集：它的内容不会保留。',
  });

const tooLong = (): AppError =>
  new AppError('too_large', {
    param: '/runId',
    message: 'The run and its history are too long for a case: at most 4 MiB are kept.',
    messageZh: '该运行及其历史对用例来说过长：最多保存 4 MiB。',
  });

function assertRoom(counts: readonly SuiteCount[], name: string): void {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const own = counts.find(({ suite }) => suite === name);
  if (all >= MAX_CASES)
    throw tooMany(`A tenant has at most ${MAX_CASES} cases in its suites.`, `每个租户的测试集共最多 ${MAX_CASES} 个用例。`);
  if (own && own.count >= MAX_CASES_OF_SUITE)
    throw tooMany(`A suite has at most ${MAX_CASES_OF_SUITE} cases.`, `一个测试集最多 ${MAX_CASES_OF_SUITE} 个用例。`);
  if (!own && counts.length >= MAX_SUITES)
    throw tooMany(`A tenant has at most ${MAX_SUITES} suites.`, `每个租户最多 ${MAX_SUITES} 个测试集。`);
}

const tooMany = (limit: string, limitZh: string): AppError =>
  new AppError('quota_exceeded', {
    param: '/name',
    message: `${limit} Delete cases that are no longer needed.`,
    messageZh: `${limitZh}请先删除不再需要的用例。`,
  });
