/**
 * One gateway for each worker of jest, for test files that need no gateway of their own. The process of jest starts it when the first file of the
 * worker asks for it over HTTP, and ends it after the last file of the run. The files of a worker run one after another; each one returns the
 * gateway without runs and sessions, and brings its own mock model to the port that the gateway knows.
 */
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Gateway, startGateway } from './gateway';
import { type MockModel, startMockModel } from './mock_model';
import { createRestClient, type PageBody, type RestClient } from './rest_client';

/** Name of the environment variable with the URL that starts and shows shared gateways. */
const GATEWAYS_URL = 'NETA_TEST_GATEWAYS_URL';
/** The OPENAI_API_KEY of test gateways; it must reach only the model server. */
export const MODEL_KEY = 'sk-bench-5ecret-0123456789abcdef';

interface SharedFacts {
  url: string;
  workspace: string;
  dataDir: string;
  pid: number;
  /** Base URL of the model server that the gateway calls. */
  modelUrl: string;
}

interface SharedGateways {
  server: Server;
  /** By worker. */
  running: Map<string, { gateway: Gateway; modelUrl: string }>;
}

/** jest loads the modules of its set-up and of its clean-up separately; both see this object. */
const shared = globalThis as { netaGateways?: SharedGateways };

/** GET /<worker> shows the gateway of a worker; POST /<worker>?model=<base URL> ends it and starts another one. */
export async function offerGateways(): Promise<void> {
  const own: SharedGateways = { server: createServer(), running: new Map() };
  own.server.on('request', async ({ method, url = '' }, response) => {
    const { pathname: worker, searchParams } = new URL(url, 'http://localhost');
    try {
      const modelUrl = searchParams.get('model') ?? '';
      if (method === 'POST') {
        await own.running.get(worker)?.gateway.stop();
        own.running.delete(worker);
        const gateway = await startGateway({ env: { OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: MODEL_KEY } });
        own.running.set(worker, { gateway, modelUrl });
      }
      const { gateway, modelUrl: known } = own.running.get(worker) ?? {};
      if (!gateway) return response.writeHead(404).end();
      const facts = { url: gateway.url, workspace: gateway.workspace, dataDir: gateway.dataDir, pid: gateway.pid, modelUrl: known };
      return response.end(JSON.stringify(facts));
    } catch (thrown) {
      return response.writeHead(500).end(String(thrown));
    }
  });
  await once(own.server.listen(0, '127.0.0.1'), 'listening');
  process.env[GATEWAYS_URL] = `http://127.0.0.1:${(own.server.address() as AddressInfo).port}`;
  shared.netaGateways = own;
}

export async function closeGateways(): Promise<void> {
  const { server, running } = shared.netaGateways ?? {};
  server?.close();
  await Promise.all([...(running?.values() ?? [])].map(({ gateway }) => gateway.stop()));
}

/** Resolves with the gateway of this worker and a new mock model that answers it. `stop` returns the gateway without runs and sessions. */
export async function borrowGateway(): Promise<{ gateway: Gateway; model: MockModel }> {
  const earlier = await askForGateway('GET');
  const known = earlier && (await startMockModel(Number(new URL(earlier.modelUrl).port)).catch(() => undefined));
  if (earlier && known) return { gateway: toGateway(earlier), model: known };
  // The first file of the worker, or another program has taken the port of the model.
  const model = await startMockModel();
  try {
    const facts = await askForGateway('POST', `?model=${encodeURIComponent(model.baseUrl)}`);
    if (!facts) throw new Error('the shared gateway ended at once');
    return { gateway: toGateway(facts), model };
  } catch (thrown) {
    await model.stop();
    throw thrown;
  }
}

async function askForGateway(method: string, query = ''): Promise<SharedFacts | undefined> {
  const url = process.env[GATEWAYS_URL];
  if (url === undefined) throw new Error(`${GATEWAYS_URL} is not set: run the tests with the jest.config.js of this repository.`);
  const response = await fetch(`${url}/${process.env['JEST_WORKER_ID'] ?? '1'}${query}`, { method });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the shared gateway did not start: ${await response.text()}`);
  return (await response.json()) as SharedFacts;
}

function toGateway({ url, workspace, dataDir, pid }: SharedFacts): Gateway {
  const refuse = () => {
    throw new Error('this gateway serves other test files too: start your own with startBench({ own: "why" })');
  };
  return {
    url,
    workspace,
    dataDir,
    pid,
    arm: refuse,
    output: refuse,
    exited: refuse,
    kill: refuse,
    restart: refuse,
    terminate: refuse,
    stop: () => emptyGateway(url, workspace),
  };
}

async function deleteSessions(request: RestClient['request'], list: string): Promise<void> {
  for (let more: string | undefined = ''; more !== undefined; ) {
    const { body }: { body: PageBody<{ id: string }> } = await request('GET', `/sessions?limit=200${list}`);
    await Promise.all(body.data.map(({ id }) => request('DELETE', `/sessions/${id}`)));
    more = body.nextCursor;
  }
}

/** Cancels the runs, and deletes the sessions and the files in the workspace, of the test file that used the gateway. */
async function emptyGateway(url: string, workspace: string): Promise<void> {
  const { request } = createRestClient(url);
  for (const status of ['running', 'queued']) {
    const { body } = await request<PageBody<{ runId: string }>>('GET', `/runs?status=${status}&limit=1000`);
    await Promise.all(body.data.map(({ runId }) => request('POST', `/runs/${runId}/cancel`)));
  }
  // The list of chats lacks the sessions of OpenAI clients and those that are archived.
  for (const list of ['', '&origin=openai', '&archived=true']) await deleteSessions(request, list);
  for (const name of await readdir(workspace)) await rm(join(workspace, name), { recursive: true });
}
