/** Opens the clients of models: those of model servers, and the demo model. */
import type { IdSource } from '../port/clock';
import { apiOf, baseUrlOf, type ModelApi } from '../port/model_apis';
import type { ModelClients, ModelTimes } from '../port/model_client';
import { anthropicApi } from './anthropic/anthropic_api';
import { createDemoLlm } from './demo/demo_llm';
import { googleApi } from './google/google_api';
import { createNativeModel, type NativeApi } from './native/native_model';
import { createOpenAiLlm } from './openai/openai_llm';
import { responsesApi } from './responses/responses_api';

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
    openClient(definition, apiKey) {
      const { baseUrl, model, dialect, reasoning, maxTokensField } = definition;
      const common = { model, reasoning, createCallId, limits: timesOf(definition, times), apiKey };
      const api = apiOf(definition);
      if (api === 'chat') return createOpenAiLlm({ ...common, baseUrl, dialect, maxTokensField });
      return createNativeModel(NATIVE_APIS[api], { ...common, baseUrl: baseUrlOf(definition) });
    },
  };
}

/** The vendors' own APIs. Each loads the client of its vendor with the first call. */
const NATIVE_APIS: Readonly<Record<Exclude<ModelApi, 'chat'>, NativeApi>> = {
  responses: responsesApi,
  anthropic: anthropicApi,
  google: googleApi,
};

const timesOf = (own: ModelTimes, usual: Required<ModelTimes>): Required<ModelTimes> => ({
  connectMs: own.connectMs ?? usual.connectMs,
  firstByteMs: own.firstByteMs ?? usual.firstByteMs,
  idleMs: own.idleMs ?? usual.idleMs,
  totalMs: own.totalMs ?? usual.totalMs,
});
