import { DatabaseSync } from 'node:sqlite';
import { createIdSource } from '../../../src/adapter/local/node/ids';
import { AuditLog, byActor, byGateway } from '../../../src/service/audit/audit_log';
import { createManualClock } from '../../support/manual_clock';
import { NO_REDACTOR } from '../../support/no_observer';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';
import { until } from '../../support/until';

let temporary: TemporaryStore;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.release());

const ALICE = byActor({ tenantId: 'acme', keyName: 'alice' });

function openLog() {
  const clock = createManualClock(1_000);
  const errors: unknown[] = [];
  const log = new AuditLog({
    store: temporary.store,
    clock,
    ids: createIdSource(clock),
    failpoints: { reach: () => undefined },
    redactor: NO_REDACTOR,
    onError: (_message, thrown) => errors.push(thrown),
  });
  return { log, clock, errors };
}

/** Records `count` acts and resolves with their ids, oldest first. */
async function recordActs(log: AuditLog, count: number): Promise<string[]> {
  for (let i = 0; i < count; i += 1) await log.record({ ...ALICE, action: 'job.run', target: `job_${i}` });
  await log.seal();
  return (await temporary.store.read.audit.readChain(0, count)).map(({ id }) => id);
}

/** Changes the database as somebody with the file could, without the triggers. */
function tamper(...statements: string[]): void {
  const database = new DatabaseSync(temporary.path);
  for (const name of ['update', 'delete']) {
    for (const table of ['audit_log', 'audit_queue']) database.exec(`drop trigger if exists ${table}_refuses_${name}`);
  }
  for (const statement of statements) database.exec(statement);
  database.close();
}

test('names who acts: local without keys, an agent and its key, or the gateway', async () => {
  const { log } = openLog();
  await log.record({ ...byActor({ tenantId: 'acme' }), action: 'job.run', target: 'a' });
  await log.record({ ...byActor({ tenantId: 'acme', keyName: 'alice', through: 'agent:default' }), action: 'skill.write', target: 'b' });
  await log.record({ ...byGateway('gateway:config'), action: 'config.reload', target: 'c', details: { before: '1' } });
  const { data } = await log.listRecords({}, { limit: 10 });
  expect(data.map(({ tenantId, actor, details }) => [tenantId, actor, details])).toEqual([
    ['default', 'gateway:config', { before: '1' }],
    ['acme', 'agent:default', { key: 'alice' }],
    ['acme', 'local', {}],
  ]);
});

test('the chain stays sound for a target that no store can hold as it is, or that is cut within a character', async () => {
  const { log } = openLog();
  for (const target of ['a\0b', 'half \ud83d', `${'x'.repeat(511)}\u{1f600}`])
    await log.record({ ...ALICE, action: 'file.delete', target });
  expect(await log.verify()).toMatchObject({ ok: true });
  const { data } = await log.listRecords({}, { limit: 10 });
  expect(data.map(({ target }) => target)).toEqual(['x'.repeat(511), 'half \ufffd', 'a\ufffdb']);
});

test('an act whose transaction is rolled back leaves no row', async () => {
  const { log } = openLog();
  const act = temporary.store.transaction('none', async tx => {
    await log.record({ ...ALICE, action: 'job.run', target: 'job_1' }, tx);
    throw new Error('the act failed');
  });
  await expect(act).rejects.toThrow('the act failed');
  await recordActs(log, 2);
  expect(await log.verify()).toMatchObject({ ok: true, rows: 2 });
});

test('the database refuses to change and to delete a row', async () => {
  const { log } = openLog();
  await recordActs(log, 1);
  const database = new DatabaseSync(temporary.path);
  expect(() => database.exec("update audit_log set actor = 'bob'")).toThrow('do not change');
  expect(() => database.exec('delete from audit_log')).toThrow('deleted by retention only');
  database.close();
});

test('the database refuses to change a row that waits to be sealed, and to delete it before', async () => {
  const { log } = openLog();
  await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
  const database = new DatabaseSync(temporary.path);
  expect(() => database.exec("update audit_queue set actor = 'bob'")).toThrow('do not change');
  expect(() => database.exec('delete from audit_queue')).toThrow('deleted when they are in audit_log');
  database.close();
});

describe('sealing', () => {
  const unsealed = () => temporary.store.read.audit.countUnsealed();
  /** Lets the timers of `milliseconds` fire and waits until no row waits. */
  async function pass(clock: ReturnType<typeof openLog>['clock'], milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await until(unsealed, count => count === 0);
  }

  test('happens a second after an act, without a reader', async () => {
    const { log, clock } = openLog();
    await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
    clock.advance(999);
    expect(await unsealed()).toBe(1);
    await pass(clock, 1);
    expect((await temporary.store.read.audit.ends()).head).toBeDefined();
  });

  test('has a second round, for the row of a transaction that was open in the first one', async () => {
    const { log, clock } = openLog();
    await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
    await pass(clock, 1_000);
    // The row appears later, as that of a slow transaction does.
    await temporary.store.transaction('none', tx =>
      tx.audit.append({ tenantId: 'acme', id: 'aud_late', at: 1, actor: 'alice', action: 'job.run', target: 'job_2', details: {} }),
    );
    clock.advance(29_000);
    await pass(clock, 1_000);
  });

  test('is tried again after a failure, which is reported', async () => {
    const { log, clock, errors } = openLog();
    await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
    const transaction = jest.spyOn(temporary.store, 'transaction').mockRejectedValue(new Error('the disk is full'));
    clock.advance(1_000);
    await until(async () => errors.length === 1);
    transaction.mockRestore();
    await pass(clock, 30_000);
    expect(await log.verify()).toMatchObject({ ok: true, rows: 1 });
  });

  test('a reader gets the sealed rows when the store cannot be written, and the check counts the others', async () => {
    const { log } = openLog();
    await recordActs(log, 2);
    await log.record({ ...ALICE, action: 'job.run', target: 'job_3' });
    const transaction = jest.spyOn(temporary.store, 'transaction').mockRejectedValue(new Error('the disk is full'));
    expect((await log.listRecords({}, { limit: 10 })).data).toHaveLength(2);
    expect(await log.verify()).toMatchObject({ ok: true, rows: 2, unsealed: 1 });
    transaction.mockRestore();
    expect(await log.verify()).toMatchObject({ ok: true, rows: 3, unsealed: 0 });
  });

  test('a reader waits a second at most for a sealer that does not end', async () => {
    const { log, clock } = openLog();
    await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
    const transaction = jest.spyOn(temporary.store, 'transaction').mockReturnValue(new Promise(() => {}));
    const reading = log.listRecords({}, { limit: 10 });
    await new Promise(setImmediate);
    clock.advance(1_000);
    expect((await reading).data).toEqual([]);
    transaction.mockRestore();
  });

  test('happens at a stop', async () => {
    const { log } = openLog();
    await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
    await log.stop();
    expect(await unsealed()).toBe(0);
  });
});

describe('verify', () => {
  test('accepts an empty log, a long one, and one whose oldest rows were pruned', async () => {
    const { log, clock } = openLog();
    expect(await log.verify()).toEqual({ ok: true, rows: 0, unsealed: 0, head: undefined });
    await temporary.store.transaction('none', async tx => {
      for (let i = 0; i < 1_200; i += 1) await log.record({ ...ALICE, action: 'job.run', target: `job_${i}` }, tx);
    });
    await log.seal();
    const { head } = await temporary.store.read.audit.ends();
    expect(await log.verify()).toEqual({ ok: true, rows: 1_200, unsealed: 0, head });
    await temporary.store.transaction({ leader: 'audit' }, tx => tx.audit.prune(clock.now() + 1, 700));
    expect(await log.verify()).toEqual({ ok: true, rows: 500, unsealed: 0, head });
    await temporary.store.transaction({ leader: 'audit' }, tx => tx.audit.prune(clock.now() + 1, 700));
    expect(await log.verify()).toEqual({ ok: true, rows: 0, unsealed: 0, head });
  });

  test.each([
    ["update audit_log set actor = 'bob' where position = 2", 'changed', 1],
    ["update audit_log set details = 'no JSON' where position = 2", 'changed', 1],
    ["update audit_log set at = 'no time' where position = 2", 'changed', 1],
    ['delete from audit_log where position = 2', 'gap', 2],
    ['delete from audit_log where position = 1', 'gap', 1],
    ['delete from audit_log where position > 3', 'cut', 2],
    ['delete from audit_log', 'cut', undefined],
    ["delete from settings where key = 'audit_head'", 'cut', 4],
  ] as const)('finds the first broken row after: %s', async (statement, fault, index) => {
    const { log } = openLog();
    const ids = await recordActs(log, 5);
    tamper(statement);
    const check = await log.verify();
    expect(check).toMatchObject({ ok: false, fault });
    expect(check.ok ? undefined : check.id).toBe(index === undefined ? undefined : ids[index]);
  });

  test('finds a tail that was cut although rows were added since', async () => {
    const { log } = openLog();
    await recordActs(log, 3);
    tamper('delete from audit_log where position = 3');
    await log.record({ ...ALICE, action: 'job.run', target: 'after' });
    expect(await log.verify()).toMatchObject({ ok: false, fault: 'gap' });
  });
});

test('writes one row for the wrong keys of an address in a minute, and few for all addresses', async () => {
  const { log, clock, errors } = openLog();
  const rows = async () => (await log.listRecords({ action: 'login.fail' }, { limit: 100 })).data;
  for (let i = 0; i < 5; i += 1) log.recordFailedLogin('203.0.113.1');
  for (let i = 0; i < 100; i += 1) log.recordFailedLogin(`198.51.100.${i}`);
  // Transactions commit in order, so this one waits for those above.
  await log.record({ ...ALICE, action: 'job.run', target: 'job_1' });
  expect(await rows()).toHaveLength(30);
  clock.advance(60_000);
  log.recordFailedLogin('203.0.113.1');
  await log.record({ ...ALICE, action: 'job.run', target: 'job_2' });
  expect((await rows())[0]).toMatchObject({ actor: 'address:203.0.113.1', target: '203.0.113.1', details: { missed: 71 } });
  expect(errors).toEqual([]);
});

test('a search compares 100,000 rows a page, lets other work run in between, and goes on from its cursor', async () => {
  const { log } = openLog();
  const database = new DatabaseSync(temporary.path);
  database.exec(`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 100001)
    insert into audit_log (position, id, tenant_id, at, actor, action, target, details, prev_hash, hash)
    select i, 'aud_' || i, 'acme', i, case i when 1 then 'zoe' else 'bo' end, 'job.run', 'job_1', '{}', '', '' from numbers`);
  database.close();
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const first = await log.listRecords({ words: 'ZOE' }, { limit: 10 });
  clearInterval(timer);
  expect(first).toEqual({ data: [], nextCursor: expect.any(String) });
  expect(turns).toBeGreaterThan(10);
  const next = await log.listRecords({ words: 'ZOE' }, { limit: 10, cursor: first.nextCursor });
  expect(next.data.map(({ id }) => id)).toEqual(['aud_1']);
  expect(next.nextCursor).toBeUndefined();
  const full = await log.listRecords({ actor: 'bo' }, { limit: 6_000 });
  expect(full.data.map(({ id }) => id)).toEqual(Array.from({ length: 6_000 }, (_, i) => `aud_${100_001 - i}`));
});
