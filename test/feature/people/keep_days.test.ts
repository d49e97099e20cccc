/** Chats of people are kept for the days that roles.yaml gives to their role. */
import { RoleSettings } from '../../../src/feature/people/roles/role_settings';
import type { PersonRecord } from '../../../src/feature/people/store/people_records';
import { deleteOld } from '../../../src/service/housekeeping/retention';
import { importSession } from '../../../src/service/session/session_import';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-06-30T12:00:00Z');

const aPerson = (name: string, fields: Partial<PersonRecord>): PersonRecord => ({
  tenantId: TENANT,
  id: `per_${name}`,
  handle: `@${name}`,
  name,
  email: `${name}@example.com`,
  role: 'member',
  locale: 'en',
  state: 'active',
  subject: name,
  passwordHash: '',
  madeBy: 'invitation',
  createdAt: 1,
  updatedAt: 1,
  ...fields,
});
const PEOPLE = [
  aPerson('anna', {}),
  aPerson('ben', { role: 'admin' }),
  aPerson('carol', { role: 'approver' }),
  aPerson('dora', { state: 'removed' }),
];

let temporary: TemporaryStore;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.release());

/** Stores people with chats of 10 and 100 days ago, and the days that `value` gives to their roles. */
async function keep(value: unknown) {
  const { store } = temporary;
  await store.transaction('none', async tx => {
    for (const person of PEOPLE) await tx.people.insert(person);
    for (const owner of [...PEOPLE.map(({ handle }) => handle), undefined])
      for (const age of [10, 100])
        await tx.sessions.insert(
          aSession({ id: `${owner ?? 'key'}_${age}`, updatedAt: NOW - age * DAY_MS, ...(owner !== undefined && { owner }) }),
        );
  });
  const file = { name: 'roles.yaml', value, hash: '1', problem: (_pointer: string, message: string) => new Error(message) };
  const roles = new RoleSettings({
    store,
    configFiles: { readFile: async () => file } as never,
    configReloads: { followChanges: () => undefined },
    keys: { refresh: async () => undefined } as never,
  });
  await roles.start();
  return { store, roles };
}

/** Deletes what is older than 30 days, and resolves with the sessions that are gone and with what failed. */
async function clean({ store, roles }: Awaited<ReturnType<typeof keep>>) {
  const [purged, failures]: [string[], string[]] = [[], []];
  const days = { sessions: 30, temporarySessions: 0, statelessSessions: 0, responses: 0, events: 0, directCalls: 0, audit: 0, usage: 0 };
  await deleteOld({
    store,
    clock: createManualClock(NOW),
    auditLog: NO_AUDIT,
    days,
    ownerPeriods: { current: roles },
    purgeSession: async (tenantId, id) => {
      purged.push(id);
      await store.transaction('none', tx => tx.sessions.delete(tenantId, id));
    },
    onError: message => void failures.push(message),
  });
  return { purged: purged.sort(), failures };
}

it('R: a role has its own days, 0 keeps for ever, and everything else follows the setting', async () => {
  const gateway = await keep({ keepDays: { member: 5, admin: 0 }, tenants: { [TENANT]: { keepDays: { approver: 500 } } } });
  expect(await clean(gateway)).toEqual({ purged: ['@anna_10', '@anna_100', '@dora_100', 'key_100'], failures: [] });
});

it('R: deletes no chat while the days of the owners are not known, and follows a new role at once', async () => {
  const gateway = await keep({ keepDays: { admin: 0 } });
  const { listDays } = gateway.roles;
  gateway.roles.listDays = () => Promise.reject(new Error('the store is away'));
  expect(await clean(gateway)).toEqual({ purged: [], failures: ['old data cannot be deleted'] });
  gateway.roles.listDays = listDays;
  await gateway.store.transaction('none', tx => tx.people.update({ ...aPerson('anna', {}), role: 'admin' }));
  expect((await clean(gateway)).purged).toEqual(['@carol_100', '@dora_100', 'key_100']);
});

it('R: an imported old chat counts as used now, unless the role of its owner is kept for ever', async () => {
  const { store, roles } = await keep({ keepDays: { member: 5, admin: 0 } });
  const deps = {
    store,
    clock: createManualClock(NOW),
    ids: { next: (kind: string) => `${kind}_${Math.random()}` } as never,
    defaultLocale: 'en' as const,
  };
  const message = { role: 'user' as const, content: 'hello', createdAt: 1_000 };
  const importBy = async (by: string, keptDays: number) => {
    const once = { lockOf: () => 'none', makeOnce: async (_tx: unknown, _key: unknown, make: () => Promise<string>) => make() } as never;
    return (
      await importSession(
        { ...deps, keptDays, keptDaysOf: async (tenantId, owner) => (await roles.daysOf(tenantId, owner)) ?? keptDays },
        TENANT,
        { messages: [message], by } as never,
        once,
      )
    ).updatedAt;
  };
  expect([await importBy('@anna', 0), await importBy('@ben', 7), await importBy('ci', 0), await importBy('ci', 7)]).toEqual([
    NOW,
    1_000,
    1_000,
    NOW,
  ]);
});
