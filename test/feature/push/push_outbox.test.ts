/** Whom a notification about an approval reaches, over the real store. */
import { PushOutbox } from '../../../src/feature/push/push_outbox';
import type { ApprovalReview } from '../../../src/port/approval_review';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { Principal } from '../../../src/port/principal';
import type { Store } from '../../../src/port/store/store';
import { createManualClock } from '../../support/manual_clock';
import { aQuestion, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

let store: Store;
let removeStore: () => Promise<void>;

beforeEach(async () => {
  ({ store, release: removeStore } = await openTemporaryStore());
});
afterEach(() => removeStore());

const RUN = { ...aRun({ keyName: '@anna' }), ordinal: 1 };
const OWNERS: Record<string, Principal> = {
  '@anna': { tenantId: TENANT, keyName: '@anna', scopes: new Set(['chat', 'approve']), person: { id: 'p1', name: 'Anna', role: 'member' } },
  '@ben': { tenantId: TENANT, keyName: '@ben', scopes: new Set(['approve']), person: { id: 'p2', name: 'Ben', role: 'approver' } },
  'ben-phone': { tenantId: TENANT, keyName: 'ben-phone', owner: '@ben', scopes: new Set(['approve']) },
  reader: { tenantId: TENANT, keyName: 'reader', scopes: new Set(['chat']) },
};
const APPROVAL = { tool: 'bash', label: 'Run', args: {}, fingerprint: 'f', sessionScope: 'none', grant: 'g' } as const;

/** Resolves with the callers whose devices are told. `escalatedTo`: the approval is passed on. */
async function told(review: ApprovalReview | undefined, escalatedTo?: string): Promise<string[]> {
  const clock = createManualClock();
  let ids = 0;
  const outbox = new PushOutbox({
    store,
    clock,
    ids: { next: prefix => `${prefix}_${++ids}` },
    nodeBus: NO_OTHER_NODES,
    keyRing: { principalOf: hash => OWNERS[hash ?? ''] },
  });
  const question = aQuestion({ kind: 'approval', approval: { ...APPROVAL, review }, expiresAt: clock.now() + 60_000 });
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    await tx.runs.insert(RUN);
    for (const keyName of Object.keys(OWNERS)) {
      const keys = { endpoint: `https://push.example/${keyName}`, publicKey: 'p', authSecret: 'a' };
      await tx.push.insert({
        tenantId: TENANT,
        id: keyName,
        ...keys,
        locale: 'en',
        keyName,
        keyHash: keyName,
        preview: true,
        createdAt: 1,
      });
    }
  });
  await store.transaction('none', tx =>
    escalatedTo === undefined ? outbox.addQuestion(tx, RUN, question, true) : outbox.addEscalation(tx, RUN, question, escalatedTo),
  );
  const times = { now: clock.now(), until: clock.now() + 1_000 };
  const claimed = await store.transaction({ leader: 'push' }, tx => tx.push.claimDeliveries(10, times));
  return claimed.map(({ subscriptionId }) => subscriptionId).sort();
}

it.each([
  ['without a rule its own person', undefined, undefined, ['@anna']],
  ['all who may decide when the requester must not', { approvers: 1, notBy: ['@anna'] }, undefined, ['@anna', '@ben', 'ben-phone']],
  ['the person to whom it is addressed, with the keys of that person', { approvers: 1, to: '@ben' }, undefined, ['@ben', 'ben-phone']],
  ['the role to which it is addressed', { approvers: 1, to: 'approver' }, undefined, ['@ben']],
  ['those who may decide when its address has no device', { approvers: 1, to: '@carl' }, undefined, ['@anna']],
  ['the one to whom it is passed on, and nobody again', { approvers: 1 }, 'ben-phone', ['ben-phone']],
  ['nobody when it is passed on to somebody who may not decide', { approvers: 1 }, 'reader', []],
] as const)('[R] an approval reaches %s', async (_name, review, escalatedTo, names) => {
  expect(await told(review, escalatedTo)).toEqual(names);
});
