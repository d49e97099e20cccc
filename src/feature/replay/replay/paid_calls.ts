/** Model calls of replays, suites and judges. They count in the limits and in the usage of their caller, like those of runs. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { LlmAnswer, LlmPort } from '../../../port/llm';
import type { Actor } from '../../../port/principal';
import type { Store } from '../../../port/store/store';
import type { ActiveReplay, ActiveReplays } from '../../../service/limits/active_replays';
import { toCallUsage } from '../../../service/limits/call_usage';
import type { DayBudgets } from '../../../service/limits/day_budgets';
import type { RunLimiter } from '../../../service/limits/run_limiter';
import type { Switches } from '../../../service/limits/switches';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import type { ReplayCaller } from './replay_options';

export interface PaidCallsDeps {
  store: Store;
  clock: Clock;
  llm: LlmPort;
  models: Pick<ModelCatalog, 'shownName'>;
  dayBudgets: Pick<DayBudgets, 'assertLeft'>;
  runLimiter: Pick<RunLimiter, 'startLock' | 'admitRun'>;
  activeReplays: Pick<ActiveReplays, 'begin' | 'countOf'>;
  agentExecutor: Pick<AgentExecutor, 'draining'>;
  switches: Pick<Switches, 'refusalOf'>;
}

/** Replays and suites that call models for one tenant at once, in this process. */
const MAX_AT_ONCE = 4;
const RETRY_AFTER_MS = 5_000;

export class PaidCalls {
  constructor(private readonly deps: PaidCallsDeps) {}

  /**
   * Does `work` as one run of the caller; its signal also aborts when the gateway stops. Rejects `draining`, `not_accepting`, `quota_exceeded` when the
   * budget of the day is used up, and `rate_limited` when the caller may start no run now.
   */
  async countAsRun<T>(caller: ReplayCaller, work: (counted: ReplayCaller) => Promise<T>): Promise<T> {
    const replay = await this.admit(caller);
    const signal = AbortSignal.any([caller.signal, replay.signal]);
    try {
      const result = await work({ ...caller, signal });
      signal.throwIfAborted();
      return result;
    } finally {
      replay.end();
    }
  }

  /** Returns the models of the gateway. Before each call the budget of the caller is checked, and the usage of each answer is stored. */
  modelsFor(caller: ReplayCaller, agent: string): LlmPort {
    const { llm, dayBudgets, store } = this.deps;
    return {
      info: llm.info,
      stream: async (request, sink) => {
        await dayBudgets.assertLeft(store.read, payerOf(caller));
        const answer = await llm.stream(request, sink);
        await this.storeUsage(answer, { caller, agent, model: request.model });
        return answer;
      },
    };
  }

  /** Begins in the transaction that reads the limits, so that of two simultaneous requests the second sees the first. */
  private async admit(caller: ReplayCaller): Promise<ActiveReplay> {
    const { store, runLimiter, activeReplays, agentExecutor, switches } = this.deps;
    if (agentExecutor.draining) throw new AppError('draining', { retryAfterMs: RETRY_AFTER_MS });
    const actor = payerOf(caller);
    const { tenantId } = actor;
    const refusal = switches.refusalOf(tenantId);
    if (refusal) throw refusal;
    // The store may call the transaction again.
    const begun: ActiveReplay[] = [];
    const endBegun = () => {
      for (const replay of begun.splice(0)) replay.end();
    };
    try {
      return await store.transaction(runLimiter.startLock(actor), async tx => {
        endBegun();
        if (activeReplays.countOf({ tenantId }) >= MAX_AT_ONCE || (await runLimiter.admitRun(tx, actor))) throw tooMany();
        const replay = activeReplays.begin(actor);
        begun.push(replay);
        return replay;
      });
    } catch (thrown) {
      endBegun();
      throw thrown;
    }
  }

  private async storeUsage(
    { usage, answeredBy }: LlmAnswer,
    { caller, agent, model }: { caller: ReplayCaller; agent: string; model: string | undefined },
  ): Promise<void> {
    const { store, clock, models } = this.deps;
    const call = toCallUsage({ actor: payerOf(caller), at: clock.now(), model: answeredBy ?? models.shownName(model), agent, usage });
    await store.transaction('none', tx => tx.usage.addCall(call));
  }
}

const payerOf = ({ tenantId, keyName, payer }: ReplayCaller): Actor => payer ?? { tenantId, keyName };

const tooMany = (): AppError =>
  new AppError('rate_limited', {
    message: 'As many runs and replays go on as this key or this tenant may have at once.',
    messageZh: '正在进行的运行和重放已达到该密钥或租户的上限。',
    retryAfterMs: RETRY_AFTER_MS,
  });
