/** Opens the clients of models: those of model servers, and the demo model. */
import type { IdSource } from '../port/clock';
import type { Failpoints } from '../port/failpoints';
import type { ModelClient, ModelClients, ModelTimes } from '../port/model_client';

export interface ModelClientDeps {
  ids: IdSource;
  failpoints: Failpoints;
  /** Times of models whose definition has none. */
  times: Required<ModelTimes>;
}

/** The failpoint `model_called` is reached before each call of a model. */
export function createModelClients({ ids, failpoints, times }: ModelClientDeps): ModelClients {
  const createCallId = () => ids.next('call');
  const withFailpoint = (client: ModelClient): ModelClient => ({
    info: client.info,
    stream(request, sink) {
      const reached = failpoints.reach('model_called');
      return reached ? reached.then(() => client.stream(request, sink)) : client.stream(request, sink);
    },
    probe: onTime => client.probe(onTime),
    close: () => client.close(),
  });
  return {
    // Loaded only for a gateway without a model.
    get demo() {
      const { createDemoLlm }: typeof import('./demo/demo_llm') = require('./demo/demo_llm');
      return withFailpoint({ ...createDemoLlm(), probe: async () => undefined, close: () => {} });
    },
    openClient: ({ baseUrl, model, dialect, reasoning, maxTokensField, ...own }, apiKey) => {
      // Loaded only for a gateway with a model.
      const { createOpenAiLlm }: typeof import('./openai/openai_llm') = require('./openai/openai_llm');
      return withFailpoint(
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
      );
    },
  };
}

const timesOf = (own: ModelTimes, usual: Required<ModelTimes>): Required<ModelTimes> => ({
  connectMs: own.connectMs ?? usual.connectMs,
  firstByteMs: own.firstByteMs ?? usual.firstByteMs,
  idleMs: own.idleMs ?? usual.idleMs,
  totalMs: own.totalMs ?? usual.totalMs,
});
