/** A gateway with a models.yaml over two mock model servers, `a` and `b`, and two ways to start a run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WireError } from '../../src/errors';
import type { RunEvent, RunEventData } from '../../src/port/run_event';
import { type AgentConfig, createProfiles } from './agent_config';
import { type ChatClient, connectChat } from './chat_client';
import { type Gateway, startGateway } from './gateway';
import { type MockModel, startMockModel } from './mock_model';
import { createRestClient, type RestClient } from './rest_client';

export interface ModelBench {
  readonly a: MockModel;
  readonly b: MockModel;
  readonly gateway: Gateway;
  readonly rest: RestClient;
  /** Writes models.yaml; `{a}` and `{b}` become the base URLs. */
  writeModels(text: string): Promise<void>;
  connect(): Promise<ChatClient>;
  stop(): Promise<void>;
}

export interface ModelBenchOptions {
  models: string;
  profiles?: Record<string, string>;
  env?: Record<string, string>;
  /** Further files of the config directory, by name. */
  configFiles?: Record<string, string>;
}

/** Keys that reach the servers of their models only. */
export const MODEL_KEYS = { KEY_A: 'sk-key-of-a-0123456789', KEY_B: 'sk-key-of-b-0123456789' };

/** Two models that stand in for each other; the server knows `a` as `model-a`. */
export const TWO_MODELS = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a }
  - { id: b, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b, label: Second }
fallback: [a, b]
`;

export async function startModelBench({
  models,
  profiles = { default: '' },
  env = {},
  configFiles = {},
}: ModelBenchOptions): Promise<ModelBench> {
  const [a, b] = [await startMockModel(), await startMockModel()];
  const config: AgentConfig = await createProfiles(profiles);
  const writeModels = (text: string) =>
    writeFile(join(config.directory, 'models.yaml'), text.replaceAll('{a}', a.baseUrl).replaceAll('{b}', b.baseUrl));
  await writeModels(models);
  for (const [name, text] of Object.entries(configFiles)) await writeFile(join(config.directory, name), text);
  const clients: ChatClient[] = [];
  const stopServers = async () => {
    // A test may have stopped one of them.
    await Promise.allSettled([a.stop(), b.stop()]);
    await config.remove();
  };
  try {
    const gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory, ...MODEL_KEYS, ...env } });
    return {
      a,
      b,
      gateway,
      rest: createRestClient(gateway.url),
      writeModels,
      async connect() {
        const client = await connectChat(gateway.url);
        clients.push(client);
        return client;
      },
      async stop() {
        for (const client of clients) client.close();
        await gateway.stop();
        await stopServers();
      },
    };
  } catch (thrown) {
    await stopServers();
    throw thrown;
  }
}

export interface EndedRun {
  runId: string;
  sessionId: string;
  events: RunEvent[];
  end: RunEventData<'run_end'>;
}

/** Sends a message with further fields through a door and resolves with the whole run; throws the error with which it is refused. */
export type Say = (bench: ModelBench, text: string, fields?: Record<string, unknown>) => Promise<EndedRun>;

const overSocket: Say = async (bench, text, fields = {}) => {
  const client = await bench.connect();
  const ack = await client.send({ type: 'chat', text, ...fields });
  if (!ack.ok) throw ack.error;
  const { runId, sessionId } = ack as unknown as EndedRun;
  const { data: end } = await client.endOf(runId);
  return { runId, sessionId, events: client.eventsOf(runId), end };
};

const overRest: Say = async ({ rest }, text, fields = {}) => {
  const { status, body } = await rest.run({ input: text, ...fields });
  if (status !== 200) throw (body as unknown as { error: WireError }).error;
  const { runId, sessionId } = body;
  const { body: page } = await rest.request<{ data: RunEvent[] }>('GET', `/runs/${runId}/events?limit=1000`);
  return { runId, sessionId, events: page.data, end: page.data.at(-1)?.data as RunEventData<'run_end'> };
};

export const MODEL_DOORS: [string, Say][] = [
  ['Socket.IO', overSocket],
  ['REST', overRest],
];

export const dataOf = <T extends RunEvent['type']>(events: readonly RunEvent[], type: T) =>
  events.flatMap(event => (event.type === type ? [event.data as RunEventData<T>] : []));
