/** Vectors for programs, from the embedding model of the operator. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import { EMBEDDING_BATCH, type EmbeddingPort } from '../../../port/embedding';
import { type Actor, LOCAL_KEY_NAME } from '../../../port/principal';
import type { Store } from '../../../port/store/store';
import { BYTES_PER_TOKEN } from '../../../runtime/fit_history';
import type { DayBudgets } from '../../../service/limits/day_budgets';

/** The service of embeddings, as controllers inject it. */
export interface EmbeddingsServices {
  embeddings: Embeddings;
}

interface EmbeddingsDeps {
  /** Absent: the operator has named no embedding model. */
  model: EmbeddingPort | undefined;
  store: Pick<Store, 'read' | 'transaction'>;
  clock: Clock;
  dayBudgets: Pick<DayBudgets, 'assertLeft'>;
}

export interface Embedded {
  vectors: Float32Array[];
  /** As the server counted; estimated when it does not tell. */
  inputTokens: number;
}

/** Requests of a tenant that are answered at once: vectors are held in memory. */
const MAX_AT_ONCE = 4;

export class Embeddings {
  /** Tenant -> its open requests. */
  private readonly open = new Map<string, number>();

  constructor(private readonly deps: EmbeddingsDeps) {}

  /** The name of the model. Throws `not_found` without one, and when `asked` is another. */
  modelNamed(asked: string): string {
    const { model } = this.deps;
    if (!model) throw new AppError('not_found', { param: '/model', ...NO_MODEL });
    if (asked === model.model) return asked;
    const name = JSON.stringify(asked.slice(0, 100));
    throw new AppError('not_found', {
      param: '/model',
      message: `The embedding model ${name} does not exist. The embedding model of this gateway is ${JSON.stringify(model.model)}.`,
      messageZh: `嵌入模型 ${name} 不存在。此网关的嵌入模型是 ${JSON.stringify(model.model)}。`,
    });
  }

  /**
   * Embeds texts and books the tokens on the day of the caller. Rejects `not_found` without a model, `rate_limited`, `quota_exceeded` when the budget of
   * the day is used up, `model_*`, and when `signal` is aborted.
   */
  async embedTexts(actor: Actor, texts: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const { model, store, dayBudgets } = this.deps;
    if (!model) throw new AppError('not_found', { param: '/model', ...NO_MODEL });
    const { tenantId } = actor;
    const count = this.open.get(tenantId) ?? 0;
    if (count >= MAX_AT_ONCE) throw new AppError('rate_limited', { retryAfterMs: 2_000 });
    this.open.set(tenantId, count + 1);
    const embedded: Embedded = { vectors: [], inputTokens: 0 };
    try {
      await dayBudgets.assertLeft(store.read, actor);
      for (let i = 0; i < texts.length; i += EMBEDDING_BATCH)
        await embedBatch(model, texts.slice(i, i + EMBEDDING_BATCH), embedded, signal);
      return embedded;
    } finally {
      this.close(tenantId);
      if (embedded.inputTokens > 0) await this.book(actor, model.model, embedded.inputTokens);
    }
  }

  private close(tenantId: string): void {
    const left = (this.open.get(tenantId) ?? 1) - 1;
    if (left === 0) this.open.delete(tenantId);
    else this.open.set(tenantId, left);
  }

  /** The price of an embedding model is unknown. */
  private book({ tenantId, keyName = LOCAL_KEY_NAME }: Actor, model: string, inputTokens: number): Promise<void> {
    const { store, clock } = this.deps;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const none = { runs: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, nanoDollars: 0, durationMs: 0 };
    const call = { tenantId, day, keyName, model, agent: '', inputTokens, unpricedRuns: 0, ...none };
    return store.transaction('none', tx => tx.usage.addCall(call));
  }
}

async function embedBatch(model: EmbeddingPort, texts: readonly string[], embedded: Embedded, signal: AbortSignal): Promise<void> {
  let tokens: number | undefined;
  const vectors = await model.embed(texts, signal, counted => {
    tokens = counted;
  });
  embedded.vectors.push(...vectors);
  embedded.inputTokens += tokens ?? texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0);
}

const NO_MODEL = {
  message: 'This gateway has no embedding model: its operator can name one in NETA_EMBEDDING_MODEL.',
  messageZh: '此网关没有嵌入模型：运维人员可在 NETA_EMBEDDING_MODEL 中指定。',
};
