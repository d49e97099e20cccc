/** Opens the clients of models: those of model servers, and the demo model. */
import type { IdSource } from '../port/clock';
import type { Failpoints } from '../port/failpoints';
import type { ModelClient, ModelClients, ModelTimes } from '../port/model_client';
import { createDemoLlm } from './demo/demo_llm';
import { createOpenAiLlm } from './openai/openai_llm';

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
    get demo() {
      return withFailpoint({ ...createDemoLlm(), probe: async () => undefined, close: () => {} });
    },
    openClient: ({ baseUrl, model, dialect, reasoning, maxTokensField, ...own }, apiKey) => {
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
