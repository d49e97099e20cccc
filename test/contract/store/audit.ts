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

/** Appends rows `aud_1` to `aud_<count>`, 1,000 ms apart, of two tenants in turn. */
async function appendRows(store: Store, count: number): Promise<void> {
  await store.transaction('none', async tx => {
    for (let i = 1; i <= count; i += 1) {
      await tx.audit.append(anEntry({ id: `aud_${i}`, at: i * 1_000, tenantId: i % 2 === 0 ? 'globex' : TENANT }));
    }
  });
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

  test('lists the newest first, for one tenant or for all, and by actor, action, target and time', async () => {
    await appendRows(store(), 5);
    await store().transaction('none', tx =>
      tx.audit.append(anEntry({ id: 'aud_6', at: 6_000, actor: 'bot', action: 'job.run', target: 'job_1' })),
    );
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
    const first = await list(1);
    expect(JSON.parse(Buffer.from(first.nextCursor ?? '', 'base64url').toString())).toEqual(['audit', 1_000, 'aud_13']);
    expect((await list(5, first.nextCursor)).data.map(({ id }) => id)).toEqual(['aud_12', 'aud_11']);
  });

  test('keeps one chain when two processes append at once', async () => {
    const other = await openAnother();
    const append = (from: Store, name: string) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => from.transaction('none', tx => tx.audit.append(anEntry({ id: `aud_${name}_${i}` })))),
      );
    await Promise.all([append(store(), 'a'), append(other, 'b')]);
    const chain = await store().read.audit.readChain(0, 100);
    expect(chain).toHaveLength(40);
    const expected = [FIRST_AUDIT_HASH, ...chain.map(({ hash }) => hash)].slice(0, 40);
    expect(chain.map(({ prevHash }) => prevHash)).toEqual(expected);
    expect((await other.read.audit.ends()).head).toBe(chain.at(-1)?.hash);
  });

  test('prunes the oldest rows and keeps the place where the chain goes on', async () => {
    await appendRows(store(), 5);
    const chain = await store().read.audit.readChain(0, 10);
    expect(await store().transaction('none', tx => tx.audit.prune(4_000, 2))).toBe(2);
    expect(await store().transaction('none', tx => tx.audit.prune(4_000, 2))).toBe(1);
    expect(await store().transaction('none', tx => tx.audit.prune(4_000, 2))).toBe(0);
    expect((await store().read.audit.readChain(0, 10)).map(({ id }) => id)).toEqual(['aud_4', 'aud_5']);
    expect(await store().read.audit.ends()).toEqual({
      prunedThrough: chain[2]?.position,
      prunedHash: chain[2]?.hash,
      head: chain[4]?.hash,
    });
  });
}
