/** Starts a built gateway with a scripted model and clients, for door tests. */
import { type ChatClient, connectChat } from './chat_client';
import { type Gateway, type GatewayOptions, startGateway } from './gateway';
import { type MockModel, startMockModel } from './mock_model';
import { createRestClient, type RestClient } from './rest_client';

/** The OPENAI_API_KEY of the gateway; it must reach only the model server. */
export const MODEL_KEY = 'sk-bench-5ecret-0123456789abcdef';

export interface AgentBench {
  readonly model: MockModel;
  readonly gateway: Gateway;
  readonly rest: RestClient;
  /** Connects a chat client that `stop` closes. */
  connect(auth?: Record<string, unknown>): Promise<ChatClient>;
  stop(): Promise<void>;
}

export async function startBench({ env, files, root, prefix }: GatewayOptions = {}): Promise<AgentBench> {
  const model = await startMockModel();
  try {
    const gateway = await startGateway({
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: MODEL_KEY, ...env },
      ...(files && { files }),
      ...(root !== undefined && { root }),
      ...(prefix && { prefix }),
    });
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
  } catch (thrown) {
    await model.stop();
    throw thrown;
  }
}
