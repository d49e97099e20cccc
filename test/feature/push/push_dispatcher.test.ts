/** Notifications through a push service that fails, with a clock that the test advances, over the real store. */
import { PAUSES_MS, PushDispatcher } from '../../../src/feature/push/push_dispatcher';
import { PushKeyPair } from '../../../src/feature/push/push_keys';
import { PushOutbox } from '../../../src/feature/push/push_outbox';
import { PushNoticeWriter } from '../../../src/feature/push/push_writer';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { Principal } from '../../../src/port/principal';
import type { PushMessage } from '../../../src/port/push_sender';
import type { Store } from '../../../src/port/store/store';
import { createManualClock } from '../../support/manual_clock';
import { NO_OBSERVER } from '../../support/no_observer';
import { aQuestion, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';
import { until } from '../../support/until';

let store: Store;
let removeStore: () => Promise<void>;

beforeEach(async () => {
  ({ store, release: removeStore } = await openTemporaryStore());
});
afterEach(() => removeStore());

const LIFE_MS = 20_000_000;
const RUN = { ...aRun({ keyName: 'ann' }), ordinal: 1 };

/** One question, one device, and a push service that answers with the statuses one after another, the last one for ever. */
async function startServices(...statuses: number[]) {
  const clock = createManualClock();
  const sent: PushMessage[] = [];
  let owner: Principal | undefined = { tenantId: TENANT, keyName: 'ann', scopes: new Set(['chat', 'approve']) };
  const sender = {
    createKeys: async () => ({ publicKey: 'public', privateKey: 'private' }),
    checkTarget: <T>(target: T) => target,
    send: async (_target: unknown, message: PushMessage) => {
      sent.push(message);
      return { status: statuses[Math.min(sent.length, statuses.length) - 1] ?? 201, retryAfter: '' };
    },
  };
  const keyRing = { principalOf: () => owner, refresh: async () => {} };
  const redactor = { redact: (text: string) => text, addSecrets: () => {} };
  let ids = 0;
  const deps = {
    store,
    clock,
    sender,
    keyRing,
    redactor,
    ids: { next: (prefix: string) => `${prefix}_${++ids}` },
    nodeBus: NO_OTHER_NODES,
    observer: NO_OBSERVER,
    sessionAccess: { maySee: async () => true },
    questionAccess: { isAsked: () => false },
    createToken: () => 'token',
    workspacePathOf: () => '/work',
    onError: (message: string, thrown?: unknown) => {
      throw new Error(message, { cause: thrown });
    },
  };
  const outbox = new PushOutbox(deps);
  const dispatcher = new PushDispatcher({ ...deps, outbox, keyPair: new PushKeyPair(deps), writer: new PushNoticeWriter(deps) });
  const question = aQuestion({ expiresAt: clock.now() + LIFE_MS });
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    await tx.runs.insert(RUN);
    await tx.questions.insert(question);
    await tx.push.insert({
      tenantId: TENANT,
      id: 'psh_1',
      endpoint: 'https://push.example/1',
      publicKey: 'p',
      authSecret: 'a',
      locale: 'en',
      keyName: 'ann',
      preview: true,
      createdAt: 1,
    });
  });
  await store.transaction('none', tx => outbox.addQuestion(tx, RUN, question, true));
  dispatcher.start();
  outbox.flush();
  return { clock, sent, dispatcher, outbox, question, revokeKey: () => (owner = undefined) };
}

const nextAt = () => store.read.push.nextDeliveryAt();

it('tries again after growing pauses while a push service is overloaded, then gives up', async () => {
  const { clock, sent, dispatcher } = await startServices(503);
  for (const [failures, pauseMs] of PAUSES_MS.entries()) {
    await until(async () => sent.length === failures + 1 && (await nextAt()) === clock.now() + pauseMs);
    // Let the dispatcher set its timer.
    await new Promise(setImmediate);
    clock.advance(pauseMs + 10_001);
  }
  await until(async () => sent.length === PAUSES_MS.length + 1 && (await nextAt()) === undefined);
  expect(sent.map(({ ttlSeconds }) => ttlSeconds)).toEqual([...sent.map(({ ttlSeconds }) => ttlSeconds)].sort((a, b) => b - a));
  expect(sent[0]).toMatchObject({ ttlSeconds: LIFE_MS / 1_000, urgency: 'high', keys: { publicKey: 'public' } });
  dispatcher.stop();
});

it('sends nothing about a question that was answered before the next try', async () => {
  const { clock, sent, dispatcher, question } = await startServices(429, 201);
  await until(async () => (await nextAt()) === clock.now() + 5_000);
  await store.transaction('none', tx => tx.questions.close(TENANT, question.id, { status: 'answered', answer: 'left', closedAt: 1 }));
  await new Promise(setImmediate);
  clock.advance(15_001);
  await until(async () => (await nextAt()) === undefined);
  expect(sent).toHaveLength(1);
  dispatcher.stop();
});

it('forgets a device when the push service refuses the signature a second time', async () => {
  const { sent, dispatcher, outbox, question } = await startServices(403);
  await until(async () => sent.length === 1 && (await nextAt()) === undefined);
  expect(await store.read.push.tenants()).toEqual([TENANT]);
  await store.transaction('none', tx => outbox.addQuestion(tx, RUN, question, true));
  outbox.flush();
  await until(async () => (await store.read.push.tenants()).length === 0);
  expect(sent).toHaveLength(2);
  dispatcher.stop();
});

it('forgets a device whose key has ended, without a message', async () => {
  const { clock, sent, dispatcher, outbox, question, revokeKey } = await startServices(201);
  await until(async () => sent.length === 1 && (await nextAt()) === undefined);
  revokeKey();
  await store.transaction('none', tx => outbox.addQuestion(tx, RUN, question, true));
  clock.advance(1);
  outbox.flush();
  await until(async () => (await store.read.push.tenants()).length === 0);
  expect(sent).toHaveLength(1);
  dispatcher.stop();
});
