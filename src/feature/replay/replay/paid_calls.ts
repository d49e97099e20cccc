/** Model calls of replays, suites and judges. They count in the limits and in the usage of their caller, like those of runs. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { LlmAnswer, LlmPort } from '../../../port/llm';
import type { Store } from '../../../port/store/store';
import type { DayBudgets } from '../../../service/limits/day_budgets';
import type { RunLimiter } from '../../../service/limits/run_limiter';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import { toNanoDollars } from '../../../utils/dollars';
import type { ReplayCaller } from './replay_options';

export interface PaidCallsDeps {
  store: Store;
  clock: Clock;
  llm: LlmPort;
  models: Pick<ModelCatalog, 'shownName'>;
  dayBudgets: Pick<DayBudgets, 'assertLeft'>;
  runLimiter: Pick<RunLimiter, 'startLock' | 'admitRun'>;
}

/** Replays and suites that call models for one tenant at once, in this process. */
const MAX_AT_ONCE = 4;
const RETRY_AFTER_MS = 5_000;

export class PaidCalls {
  /** Tenant -> its replays and suites that call models now. */
  private readonly open = new Map<string, number>();

  constructor(private readonly deps: PaidCallsDeps) {}

  /**
   * Does `work` as one run of the caller. Rejects `quota_exceeded` when the budget of the day is used up, and `rate_limited` when the caller may start
   * no run now.
   */
  async countAsRun<T>(caller: ReplayCaller, work: () => Promise<T>): Promise<T> {
    const { tenantId } = caller;
    const count = this.open.get(tenantId) ?? 0;
    if (count >= MAX_AT_ONCE) throw tooMany();
    this.open.set(tenantId, count + 1);
    try {
      await this.admit(caller);
      return await work();
    } finally {
      this.close(tenantId);
    }
  }

  /** Returns the models of the gateway. Before each call the budget of the caller is checked, and the usage of each answer is stored. */
  modelsFor(caller: ReplayCaller, agent: string): LlmPort {
    const { llm, dayBudgets, store } = this.deps;
    return {
      info: llm.info,
      stream: async (request, sink) => {
        await dayBudgets.assertLeft(store.read, caller);
        const answer = await llm.stream(request, sink);
        await this.storeUsage(answer, { caller, agent, model: request.model });
        return answer;
      },
    };
  }

  private async admit(caller: ReplayCaller): Promise<void> {
    const { store, runLimiter } = this.deps;
    const { tenantId, keyName } = caller;
    const actor = { tenantId, keyName };
    const isFull = await store.transaction(runLimiter.startLock(actor), tx => runLimiter.admitRun(tx, actor));
    if (isFull) throw tooMany();
  }

  private close(tenantId: string): void {
    const left = (this.open.get(tenantId) ?? 1) - 1;
    if (left === 0) this.open.delete(tenantId);
    else this.open.set(tenantId, left);
  }

  private async storeUsage(
    { usage, answeredBy }: LlmAnswer,
    { caller, agent, model }: { caller: ReplayCaller; agent: string; model: string | undefined },
  ): Promise<void> {
    const { store, clock, models } = this.deps;
    const call = {
      tenantId: caller.tenantId,
      day: new Date(clock.now()).toISOString().slice(0, 10),
      keyName: caller.keyName,
      model: answeredBy ?? models.shownName(model),
      agent,
      runs: 0,
      inputTokens: usage?.inputTokens ?? 0,
      cachedTokens: usage?.cachedTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      reasoningTokens: usage?.reasoningTokens ?? 0,
      nanoDollars: toNanoDollars(usage?.costUsd ?? 0),
      unpricedRuns: usage && usage.costUsd === undefined ? 1 : 0,
      durationMs: 0,
    };
    await store.transaction('none', tx => tx.usage.addCall(call));
  }
}

const tooMany = (): AppError =>
  new AppError('rate_limited', {
    message: 'As many runs and replays go on as this key or this tenant may have at once.',
    messageZh: '正在进行的运行和重放已达到该密钥或租户的上限。',
    retryAfterMs: RETRY_AFTER_MS,
  });
