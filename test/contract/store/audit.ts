import type { NewAuditRecord } from '../../../src/port/store/audit';
import { auditHash, FIRST_AUDIT_HASH } from '../../../src/port/store/audit_hash';
import type { Store } from '../../../src/port/store/store';
import { readAll, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const anEntry = (fields: Partial<NewAuditRecord> = {}): NewAuditRecord => ({
  tenantId: TENANT,
  id: 'aud_1',
  at: 1_000,
  actor: 'ci',
  action: 'key.create',
  target: 'key_1',
  details: { name: 'bot', scopes: ['chat'] },
  ...fields,
});

/** Seals all rows that wait and resolves with their number. */
async function sealAll(store: Store): Promise<number> {
  let sealed = 0;
  for (let part = 1; part > 0; sealed += part) part = await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(10));
  return sealed;
}

/** Appends and seals rows `aud_1` to `aud_<count>`, 1,000 ms apart, of two tenants in turn. */
async function appendRows(store: Store, count: number): Promise<void> {
  await store.transaction('none', async tx => {
    for (let i = 1; i <= count; i += 1) {
      await tx.audit.append(anEntry({ id: `aud_${i}`, at: i * 1_000, tenantId: i % 2 === 0 ? 'globex' : TENANT }));
    }
  });
  await sealAll(store);
}

export function describeAudit(store: CurrentStore, openAnother: () => Promise<Store>): void {
  test('links each row to the one before, and keeps the hash of the newest', async () => {
    await appendRows(store(), 3);
    const chain = await store().read.audit.readChain(0, 10);
    expect(chain.map(({ id }) => id)).toEqual(['aud_1', 'aud_2', 'aud_3']);
    expect(chain.map(({ prevHash }) => prevHash)).toEqual([FIRST_AUDIT_HASH, chain[0]?.hash, chain[1]?.hash]);
    for (const row of chain) expect(auditHash(row.prevHash, row)).toBe(row.hash);
    expect(await store().read.audit.ends()).toEqual({ prunedThrough: 0, prunedHash: FIRST_AUDIT_HASH, head: chain[2]?.hash });
    expect(await store().read.audit.readChain(chain[1]?.position ?? 0, 10)).toMatchObject([{ id: 'aud_3' }]);
  });

  test('finds rows by words in the actor, the action, the target or the details, upper or lower case, and rows of several actions', async () => {
    const command = { command: 'rm -rf "old build"', directory: '/w/100%' };
    await store().transaction('none', async tx => {
      await tx.audit.append(anEntry({ id: 'aud_1', actor: 'ana', action: 'approval.allow', details: command }));
      await tx.audit.append(anEntry({ id: 'aud_2', actor: 'Bo', target: 'rm', details: {} }));
    });
    await sealAll(store());
    const find = async (words: string) => (await store().read.audit.list({ words }, { limit: 10 })).data.map(({ id }) => id);
    expect(await find('RM')).toEqual(['aud_2', 'aud_1']);
    expect(await find('ANA "OLD')).toEqual(['aud_1']);
    expect(await find('bo')).toEqual(['aud_2']);
    expect([await find('100%'), await find('1%0'), await find('ana Bo')]).toEqual([['aud_1'], [], []]);
    const ofActions = await store().read.audit.list({ actions: ['approval.allow', 'approval.deny'] }, { limit: 10 });
    expect(ofActions.data.map(({ id }) => id)).toEqual(['aud_1']);
  });

  test('a row waits for the sealer: until then it is counted, and is not in the list, in the chain or in its end', async () => {
    const none = { prunedThrough: 0, prunedHash: FIRST_AUDIT_HASH, head: undefined };
    await store().transaction('none', tx => tx.audit.append(anEntry()));
    expect(await store().read.audit.countUnsealed()).toBe(1);
    expect((await store().read.audit.list({}, { limit: 10 })).data).toEqual([]);
    expect(await store().read.audit.readChain(0, 10)).toEqual([]);
    expect(await store().read.audit.ends()).toEqual(none);
    expect(await store().transaction({ leader: 'audit' }, tx => tx.audit.prune(Number.MAX_SAFE_INTEGER, 10))).toBe(0);
    expect(await sealAll(store())).toBe(1);
    expect(await store().read.audit.countUnsealed()).toBe(0);
    expect((await store().read.audit.list({}, { limit: 10 })).data).toMatchObject([
      { ...anEntry(), prevHash: FIRST_AUDIT_HASH, hash: auditHash(FIRST_AUDIT_HASH, anEntry()) },
    ]);
  });

  test('refuses a second row of one id, whether the first one waits or is sealed', async () => {
    const append = () => store().transaction('none', tx => tx.audit.append(anEntry()));
    await append();
    await expect(append()).rejects.toMatchObject({ code: 'internal' });
    await sealAll(store());
    await append();
    await expect(sealAll(store())).rejects.toMatchObject({ code: 'internal' });
  });

  test('the chain goes on after all its rows were pruned', async () => {
    await appendRows(store(), 3);
    expect(await store().transaction({ leader: 'audit' }, tx => tx.audit.prune(Number.MAX_SAFE_INTEGER, 10))).toBe(3);
    const { prunedThrough, head } = await store().read.audit.ends();
    await store().transaction('none', tx => tx.audit.append(anEntry({ id: 'aud_4' })));
    await sealAll(store());
    expect(await store().read.audit.readChain(prunedThrough, 10)).toMatchObject([{ id: 'aud_4', prevHash: head }]);
  });

  test('lists the newest first, for one tenant or for all, and by actor, action, target and time', async () => {
    await appendRows(store(), 5);
    await store().transaction('none', tx =>
      tx.audit.append(anEntry({ id: 'aud_6', at: 6_000, actor: 'bot', action: 'job.run', target: 'job_1' })),
    );
    await sealAll(store());
    const ids = async (filter: Parameters<Store['read']['audit']['list']>[0]) =>
      (await readAll(page => store().read.audit.list(filter, page))).map(({ id }) => id);
    expect(await ids({})).toEqual(['aud_6', 'aud_5', 'aud_4', 'aud_3', 'aud_2', 'aud_1']);
    expect(await ids({ tenantId: 'globex' })).toEqual(['aud_4', 'aud_2']);
    expect(await ids({ tenantId: 'initech' })).toEqual([]);
    expect(await ids({ actor: 'bot' })).toEqual(['aud_6']);
    expect(await ids({ action: 'job.run' })).toEqual(['aud_6']);
    expect(await ids({ target: 'job_1' })).toEqual(['aud_6']);
    expect(await ids({ from: 2_000, to: 4_000 })).toEqual(['aud_3', 'aud_2']);
  });

  test('a cursor says nothing of the rows of other tenants', async () => {
    const list = (limit: number, cursor?: string) =>
      store().read.audit.list({ tenantId: TENANT }, { limit, ...(cursor !== undefined && { cursor }) });
    const append = (id: string, tenantId: string, at: number) =>
      store().transaction('none', tx => tx.audit.append(anEntry({ id, tenantId, at })));
    for (let i = 0; i < 7; i += 1) await append(`aud_0${i}`, 'globex', 500);
    for (const id of ['aud_11', 'aud_12', 'aud_13']) await append(id, TENANT, 1_000);
    await sealAll(store());
    const first = await list(1);
    expect(JSON.parse(Buffer.from(first.nextCursor ?? '', 'base64url').toString())).toEqual(['audit', 1_000, 'aud_13']);
    expect((await list(5, first.nextCursor)).data.map(({ id }) => id)).toEqual(['aud_12', 'aud_11']);
  });

  test('keeps one chain when two processes append and seal at once', async () => {
    const other = await openAnother();
    const append = (from: Store, name: string) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => from.transaction('none', tx => tx.audit.append(anEntry({ id: `aud_${name}_${i}` })))),
      );
    await Promise.all([append(store(), 'a'), append(other, 'b')]);
    await Promise.all([sealAll(store()), sealAll(other)]);
    const chain = await store().read.audit.readChain(0, 100);
    expect(chain).toHaveLength(40);
    const expected = [FIRST_AUDIT_HASH, ...chain.map(({ hash }) => hash)].slice(0, 40);
    expect(chain.map(({ prevHash }) => prevHash)).toEqual(expected);
    expect((await other.read.audit.ends()).head).toBe(chain.at(-1)?.hash);
  });

  test('prunes the oldest rows and keeps the place where the chain goes on', async () => {
    await appendRows(store(), 5);
    const chain = await store().read.audit.readChain(0, 10);
    expect(await store().transaction({ leader: 'audit' }, tx => tx.audit.prune(4_000, 2))).toBe(2);
    expect(await store().transaction({ leader: 'audit' }, tx => tx.audit.prune(4_000, 2))).toBe(1);
    expect(await store().transaction({ leader: 'audit' }, tx => tx.audit.prune(4_000, 2))).toBe(0);
    expect((await store().read.audit.readChain(0, 10)).map(({ id }) => id)).toEqual(['aud_4', 'aud_5']);
    expect(await store().read.audit.ends()).toEqual({
      prunedThrough: chain[2]?.position,
      prunedHash: chain[2]?.hash,
      head: chain[4]?.hash,
    });
  });
}
