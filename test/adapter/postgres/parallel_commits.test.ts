/** Transactions that overlap and commit in another order than they began: the state after them is that of one after the other. */

import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import { CONNECT_MS } from '../../../src/adapter/postgres/server_client';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { checkAuditChain } from '../../../src/service/audit/check_audit_chain';
import { OpenTransactions, untilOneWaits } from '../../support/open_transactions';
import { describeWithPostgres, emptyTables, type PostgresServer, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { aMessage, aRun, aToolExecution, seed, TENANT } from '../../support/store_records';

const DAY = Date.parse('2026-03-01T10:00:00.000Z');
const RANGE = { tenantId: TENANT, from: '2026-03-01', to: '2026-03-01' };

let server: PostgresServer;
let store: Store;
let admin: Client;
let transactions: OpenTransactions;

describeWithPostgres('transactions that overlap', () => {
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    store = await openPostgresStore({ parts: STORE_PARTS, url });
    admin = new Client({ connectionString: url });
    await admin.connect();
    transactions = new OpenTransactions(url);
  }, 60_000);
  afterAll(async () => {
    await admin?.end();
    await store?.close();
    await server?.stop();
  });
  beforeEach(() => emptyTables(admin));
  afterEach(() => transactions.close());

  it('lets a work of a burst wait for a connection longer than a connection may take to stand', async () => {
    const works = Array.from({ length: 8 }, (_, i) =>
      store.transaction({ session: { tenantId: TENANT, sessionId: `ses_${i}` } }, async tx => {
        await tx.switches.delete(TENANT, 'none');
        await pause(CONNECT_MS + 300);
      }),
    );
    await pause(200);
    await expect(store.transaction('none', async tx => tx.switches.delete(TENANT, 'none'))).resolves.not.toThrow();
    await Promise.all(works);
  }, 30_000);

  describe('rate counters', () => {
    const take = (tx: StoreTransaction, wanted: number) =>
      tx.rateCounters.take({ id: 'key:a', wanted, limit: 5, windowMs: 1_000, now: 100 });

    it('gives two transactions together no more than the limit, also in a new window', async () => {
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      expect(await take(first.tx, 3)).toEqual({ taken: 3, points: 3, expiresAt: 1_100 });
      const waiting = take(second.tx, 3);
      await untilOneWaits(admin);
      await first.commit();
      expect(await waiting).toEqual({ taken: 2, points: 5, expiresAt: 1_100 });
      await second.commit();
    });

    it('gives out the points of a transaction that was rolled back', async () => {
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      await take(first.tx, 5);
      const waiting = take(second.tx, 3);
      await untilOneWaits(admin);
      await first.rollback();
      expect(await waiting).toEqual({ taken: 3, points: 3, expiresAt: 1_100 });
      await second.commit();
    });

    it('gives 40 racing transactions the points of one window', async () => {
      const results = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const { tx, commit } = await transactions.begin();
          const { taken } = await take(tx, 1);
          await commit();
          return taken;
        }),
      );
      expect(results.reduce((sum, taken) => sum + taken)).toBe(5);
    });
  });

  describe('the roll-up of usage', () => {
    /** Ends a run that has used 2 tokens and made one call. */
    async function endRun(tx: StoreTransaction, id: string): Promise<void> {
      await tx.runs.insert(aRun({ id, status: 'queued', startedAt: DAY - 500 }));
      await tx.toolExecutions.insert(aToolExecution({ id: `exe_${id}`, runId: id }));
      const usageByModel = { m1: { inputTokens: 1, outputTokens: 1 } } as never;
      await tx.runs.update(TENANT, id, { from: ['queued'] }, { status: 'completed', endedAt: DAY, usageByModel });
    }
    const endRuns = (count: number) =>
      store.transaction('none', async tx => {
        for (let i = 0; i < count; i += 1) await endRun(tx, `run_${String(i).padStart(3, '0')}`);
      });
    const sums = async () => {
      const [day] = await store.read.usageSums.sum(RANGE, 'day');
      const [tool] = await store.read.usageSums.sum(RANGE, 'tool');
      const [stored] = (await admin.query('select sum(runs) as runs from usage_days')).rows as { runs: string | null }[];
      return {
        runs: day?.runs,
        tokens: (day?.inputTokens ?? 0) + (day?.outputTokens ?? 0),
        calls: tool?.calls,
        stored: Number(stored?.runs),
      };
    };
    beforeEach(() => seed(store));

    it('counts a run once that ends during a roll-up and sorts before the runs of the roll-up', async () => {
      await endRuns(3);
      const ending = await transactions.begin();
      await endRun(ending.tx, 'run_000a');
      const rolling = await transactions.begin();
      expect(await rolling.tx.usage.rollUp()).toBe(3);
      await ending.commit();
      await rolling.commit();
      expect(await sums()).toEqual({ runs: 4, tokens: 8, calls: 4, stored: 3 });
      expect(await store.transaction({ leader: 'usage' }, tx => tx.usage.rollUp())).toBe(1);
      expect(await sums()).toEqual({ runs: 4, tokens: 8, calls: 4, stored: 4 });
    });

    it('two roll-ups at once add different runs, and each run once', async () => {
      await endRuns(250);
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      expect(await first.tx.usage.rollUp()).toBe(200);
      const waiting = second.tx.usage.rollUp();
      await untilOneWaits(admin);
      await first.commit();
      expect(await waiting).toBe(50);
      await second.commit();
      expect(await store.transaction({ leader: 'usage' }, tx => tx.usage.rollUp())).toBe(0);
      expect(await sums()).toEqual({ runs: 250, tokens: 500, calls: 250, stored: 250 });
    });

    it('what a day has used does not change while its runs are added up', async () => {
      await endRuns(250);
      let isOver = false;
      const rolling = (async () => {
        for (let i = 0; i < 20; i += 1) {
          await store.transaction({ leader: 'usage' }, tx => tx.usage.rollUp());
          await store.transaction('none', tx => endRun(tx, `run_x${i}`));
        }
        isOver = true;
      })();
      let last = 0;
      while (!isOver) {
        const { tokens } = await store.read.usage.dayAmounts(TENANT, '2026-03-01');
        expect(tokens).toBeGreaterThanOrEqual(Math.max(last, 500));
        last = tokens;
      }
      await rolling;
      expect((await store.read.usage.dayAmounts(TENANT, '2026-03-01')).tokens).toBe(540);
    });

    it('adds the runs of a roll-up that was rolled back', async () => {
      await endRuns(2);
      const lost = await transactions.begin();
      expect(await lost.tx.usage.rollUp()).toBe(2);
      expect(await store.transaction({ leader: 'usage' }, tx => tx.usage.rollUp())).toBe(0);
      await lost.rollback();
      expect(await store.transaction({ leader: 'usage' }, tx => tx.usage.rollUp())).toBe(2);
      expect(await sums()).toEqual({ runs: 2, tokens: 4, calls: 2, stored: 2 });
    });

    it('a deletion of a session waits for a roll-up of its runs, and their calls count once', async () => {
      await endRuns(2);
      const [rolling, deleting] = [await transactions.begin(), await transactions.begin()];
      expect(await rolling.tx.usage.rollUp()).toBe(2);
      const deletion = deleting.tx.sessions.deletePart(TENANT, 'ses_1', 1_000);
      await untilOneWaits(admin);
      await rolling.commit();
      await deletion;
      await deleting.tx.sessions.delete(TENANT, 'ses_1');
      await deleting.commit();
      expect(await sums()).toEqual({ runs: 2, tokens: 4, calls: 2, stored: 2 });
    });
  });

  describe('the audit log', () => {
    const append = (tx: StoreTransaction, id: string) =>
      tx.audit.append({ tenantId: TENANT, id, at: DAY, actor: 'ci', action: 'job.run', target: 'job_1', details: {} });
    const chain = async () => (await store.read.audit.readChain(0, 1_000)).map(({ id }) => id);

    it('acts do not wait for each other, and a row that is committed later is sealed later', async () => {
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      await append(first.tx, 'aud_1');
      await append(second.tx, 'aud_2');
      await second.commit();
      expect(await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(10))).toBe(1);
      await first.commit();
      expect(await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(10))).toBe(1);
      expect(await chain()).toEqual(['aud_2', 'aud_1']);
      expect(await checkAuditChain(store.read)).toMatchObject({ ok: true, rows: 2, unsealed: 0 });
    });

    it('a row that is committed while the sealer works keeps its place in the queue', async () => {
      const early = await transactions.begin();
      await append(early.tx, 'aud_1');
      await store.transaction('none', tx => append(tx, 'aud_2'));
      const sealing = await transactions.begin();
      expect(await sealing.tx.audit.seal(10)).toBe(1);
      await early.commit();
      await sealing.commit();
      expect(await store.read.audit.countUnsealed()).toBe(1);
      expect(await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(10))).toBe(1);
      expect(await checkAuditChain(store.read)).toMatchObject({ ok: true, rows: 2, unsealed: 0 });
    });

    it('a second sealer at once is refused, and no row is lost or sealed twice', async () => {
      await store.transaction('none', async tx => {
        for (let i = 0; i < 5; i += 1) await append(tx, `aud_${i}`);
      });
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      expect(await first.tx.audit.seal(3)).toBe(3);
      const refused = expect(second.tx.audit.seal(3)).rejects.toMatchObject({ code: '23505' });
      await untilOneWaits(admin);
      await first.commit();
      await refused;
      await second.rollback();
      expect(await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(10))).toBe(2);
      expect(await checkAuditChain(store.read)).toMatchObject({ ok: true, rows: 5, unsealed: 0 });
    });

    it('200 acts of racing transactions, a third of them rolled back, with a sealer between them', async () => {
      const isKept = (i: number) => i % 3 !== 0;
      const acts = async (worker: number) => {
        for (let i = 0; i < 25; i += 1) {
          const { tx, commit, rollback } = await transactions.begin();
          await append(tx, `aud_${worker}_${i}`);
          await (isKept(i) ? commit() : rollback());
        }
      };
      let isOver = false;
      const sealing = (async () => {
        while (!isOver) await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(7));
      })();
      await Promise.all(Array.from({ length: 8 }, (_, worker) => acts(worker)));
      isOver = true;
      await sealing;
      while ((await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(100))) > 0);
      const expected = Array.from({ length: 8 }, (_, worker) =>
        Array.from({ length: 25 }, (_, i) => i)
          .filter(isKept)
          .map(i => `aud_${worker}_${i}`),
      );
      expect((await chain()).sort()).toEqual(expected.flat().sort());
      expect(await checkAuditChain(store.read)).toMatchObject({ ok: true, rows: 128, unsealed: 0 });
    });
  });

  describe('the search index', () => {
    const says = (id: string, content: string, position: number) =>
      aMessage({ id, position, runOrdinal: 0, message: { role: 'user', content } });
    const found = async () =>
      (await store.read.search.find(TENANT, { query: 'beans', now: 0 }, { limit: 500 })).data.map(({ messageId }) => messageId).sort();
    const indexAll = async () => {
      while (await store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext()));
    };
    beforeEach(() => seed(store));

    it('finds a message that was stored before an indexed one and is committed after it', async () => {
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      await first.tx.messages.insert([says('msg_a1', 'early beans', 1)]);
      await second.tx.messages.insert([says('msg_a2', 'beans', 2)]);
      await second.commit();
      await indexAll();
      expect(await found()).toEqual(['msg_a2']);
      const indexing = await transactions.begin();
      expect(await indexing.tx.searchIndex.indexNext()).toBe(false);
      await first.commit();
      await indexing.commit();
      expect(await store.read.searchIndex.hasUnindexed(TENANT)).toBe(true);
      await indexAll();
      expect(await found()).toEqual(['msg_a1', 'msg_a2']);
    });

    it('a message that is committed while a part is indexed waits for the next part', async () => {
      const late = await transactions.begin();
      await late.tx.messages.insert([says('msg_a1', 'late beans', 1)]);
      await store.transaction('none', tx => tx.messages.insert([says('msg_a2', 'beans', 2)]));
      const indexing = await transactions.begin();
      await indexing.tx.searchIndex.indexNext();
      await late.commit();
      await indexing.commit();
      await indexAll();
      expect(await found()).toEqual(['msg_a1', 'msg_a2']);
    });

    it('two indexers at once, which the lock of the leader prevents, index each message once and lose no counter', async () => {
      await store.transaction('none', tx =>
        tx.messages.insert(Array.from({ length: 30 }, (_, i) => says(`msg_${100 + i}`, `beans ${i}`, i))),
      );
      // The tenant has its number.
      await store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext());
      const [first, second] = [await transactions.begin(), await transactions.begin()];
      await first.tx.searchIndex.indexNext();
      const waiting = second.tx.searchIndex.indexNext();
      await untilOneWaits(admin);
      await first.commit();
      await waiting;
      await second.commit();
      await store.transaction('none', tx => tx.messages.insert([says('msg_999', 'the last beans', 999)]));
      await indexAll();
      expect(await found()).toHaveLength(31);
      const { rows } = await admin.query(`
        select count(*)::int as documents, count(distinct d.id)::int as ids, max(d.id) - min(t.number * 4294967296 + 4503599627370496) <= max(t.documents) as "isWithin"
        from search_documents as d join search_tenants as t using (tenant_id)`);
      expect(rows).toEqual([{ documents: 31, ids: 31, isWithin: true }]);
    });

    it('400 messages of racing transactions, some rolled back, with an indexer between them', async () => {
      const isKept = (i: number) => i % 5 !== 0;
      const id = (worker: number, i: number) => `msg_${worker}_${String(i).padStart(2, '0')}`;
      const write = async (worker: number) => {
        for (let i = 0; i < 50; i += 1) {
          const { tx, commit, rollback } = await transactions.begin();
          await tx.messages.insert([says(id(worker, i), `beans ${i}`, worker * 1_000 + i)]);
          await (isKept(i) ? commit() : rollback());
        }
      };
      let isOver = false;
      const indexing = (async () => {
        while (!isOver) await indexAll();
      })();
      await Promise.all(Array.from({ length: 8 }, (_, worker) => write(worker)));
      isOver = true;
      await indexing;
      await indexAll();
      const expected = Array.from({ length: 8 }, (_, worker) =>
        Array.from({ length: 50 }, (_, i) => i)
          .filter(isKept)
          .map(i => id(worker, i)),
      );
      expect(await found()).toEqual(expected.flat().sort());
    });
  });
});
