/** A built gateway with a scripted model and clients, for door tests. */
import { type ChatClient, connectChat } from './chat_client';
import { type Gateway, type GatewayOptions, startGateway } from './gateway';
import { type MockModel, startMockModel } from './mock_model';
import { createRestClient, type RestClient } from './rest_client';
import { borrowGateway, MODEL_KEY } from './shared_gateway';

export { MODEL_KEY };

export interface AgentBench {
  readonly model: MockModel;
  readonly gateway: Gateway;
  readonly rest: RestClient;
  /** Connects a chat client that `stop` closes. */
  connect(auth?: Record<string, unknown>): Promise<ChatClient>;
  stop(): Promise<void>;
}

export interface BenchOptions extends GatewayOptions {
  /** Why the test needs a gateway of its own although it starts it without other options, such as 'it is restarted'. */
  own?: string;
}

/** Without options resolves with the gateway that the test files of this worker use one after another; otherwise starts one. */
export async function startBench(options?: BenchOptions): Promise<AgentBench> {
  const { gateway, model } = await (options ? startOwnGateway(options) : borrowGateway());
  const clients: ChatClient[] = [];
  return {
    model,
    gateway,
    rest: createRestClient(gateway.url),
    async connect(auth) {
      const client = await connectChat(gateway.url, auth);
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) client.close();
      await gateway.stop();
      await model.stop();
    },
  };
}

async function startOwnGateway({ env, ...options }: BenchOptions): Promise<{ gateway: Gateway; model: MockModel }> {
  const model = await startMockModel();
  try {
    const modelEnv = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
    return { gateway: await startGateway({ env: { ...modelEnv, ...env }, ...options }), model };
  } catch (thrown) {
    await model.stop();
    throw thrown;
  }
}
