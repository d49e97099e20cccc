/** A message with a push notification config whose task ends while the gateway reads the message. */
import type { SendMessageRequest } from '@a2a-js/sdk';
import type { A2aCaller, A2aDeps } from '../../../src/feature/a2a_door/a2a_caller';
import { loadA2aSdk } from '../../../src/feature/a2a_door/a2a_sdk';
import { MessageSender } from '../../../src/feature/a2a_door/message_sender';
import { PushConfigs } from '../../../src/feature/a2a_door/push_configs';
import { AgentExecutor, type AgentExecutorDeps } from '../../../src/service/run/agent_executor';
import type { StartRequest } from '../../../src/service/run/start_request';
import type { RunWebhook } from '../../../src/service/webhook/run_webhooks';

// The SDK loads it for signatures of cards, and jest cannot load it.
jest.mock('jose', () => ({}));

const RUN = { tenantId: 'acme', id: 'run_1', sessionId: 'ses_1', status: 'running', lastSeq: 4 };
const NEXT = { ...RUN, id: 'run_2' };
const principal = { tenantId: 'acme', keyName: 'agent' };

beforeAll(loadA2aSdk);

/** Sends the message; `status`: that of the task when the message is stored. Resolves with the runs of the task and of the stored config. */
async function send(status: 'running' | 'completed') {
  const put: string[] = [];
  const runs = { get: async () => RUN };
  const idempotencyKeys = { get: async () => undefined, put: async () => {} };
  const tx = { runs: { get: async () => ({ ...RUN, status }) }, idempotencyKeys };
  const store = { read: { runs, idempotencyKeys }, transaction: (_lock: unknown, work: (given: unknown) => Promise<unknown>) => work(tx) };
  // Only what a steering message uses.
  const executor = new AgentExecutor({
    store,
    clock: { now: () => 1 },
    runLimiter: { startLock: () => 'none' },
    steering: { addMessage: async () => {}, tellRun: () => {} },
    admission: { followUpOf: (_run: unknown, text: string) => ({ text }) },
  } as unknown as AgentExecutorDeps);
  executor.start = async ({ alsoWrite }: StartRequest) => {
    await alsoWrite?.(tx as never, NEXT as never);
    return { run: NEXT as never, deduplicated: false, steered: false };
  };
  const webhooks = {
    isAvailable: true,
    checkUrl: (url: string) => url,
    put: async (_tx: unknown, _by: unknown, { runId }: RunWebhook) => put.push(runId),
  };
  const deps = {
    store,
    agentExecutor: executor,
    runService: { getRun: async () => RUN },
    runWebhooks: { current: webhooks },
    sessionAccess: { assertMay: async () => {} },
    imageService: { readNamed: async () => ({}) },
  } as unknown as A2aDeps;
  const sender = new MessageSender(
    { principal, signal: new AbortController().signal } as A2aCaller,
    deps,
    new PushConfigs(principal as never, deps),
  );
  const message = { messageId: 'm1', contextId: '', taskId: RUN.id, parts: [{ content: { $case: 'text', value: 'go on' } }] };
  const taskPushNotificationConfig = { id: '', url: 'https://example.com/', token: '' };
  const request = { message, configuration: { taskPushNotificationConfig } } as unknown as SendMessageRequest;
  const { run } = await sender.send(request, { isFollowed: false });
  return { run: run.id, put };
}

it('[a2a] stores the config for the task that takes the message', async () => {
  expect(await send('running')).toEqual({ run: 'run_1', put: ['run_1'] });
  expect(await send('completed')).toEqual({ run: 'run_2', put: ['run_2'] });
});
