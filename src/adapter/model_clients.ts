/** Opens the clients of models: those of model servers, and the demo model. */
import type { IdSource } from '../port/clock';
import type { ModelClients, ModelTimes } from '../port/model_client';
import { createDemoLlm } from './demo/demo_llm';
import { createOpenAiLlm } from './openai/openai_llm';

export interface ModelClientDeps {
  ids: IdSource;
  /** Times of models whose definition has none. */
  times: Required<ModelTimes>;
}

export function createModelClients({ ids, times }: ModelClientDeps): ModelClients {
  const createCallId = () => ids.next('call');
  return {
    get demo() {
      return { ...createDemoLlm(), probe: async () => undefined, listModels: async () => [], close: () => {} };
    },
    openClient: ({ baseUrl, model, dialect, reasoning, maxTokensField, ...own }, apiKey) =>
      createOpenAiLlm({
        model,
        reasoning,
        createCallId,
        dialect,
        limits: timesOf(own, times),
        baseUrl,
        apiKey,
        maxTokensField,
      }),
  };
}

const timesOf = (own: ModelTimes, usual: Required<ModelTimes>): Required<ModelTimes> => ({
  connectMs: own.connectMs ?? usual.connectMs,
  firstByteMs: own.firstByteMs ?? usual.firstByteMs,
  idleMs: own.idleMs ?? usual.idleMs,
  totalMs: own.totalMs ?? usual.totalMs,
});
