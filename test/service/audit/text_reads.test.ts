import type { Principal } from '../../../src/port/principal';
import type { AuditEntry } from '../../../src/service/audit/audit_log';
import { TextReads } from '../../../src/service/audit/text_reads';
import { createManualClock } from '../../support/manual_clock';

const HOUR_MS = 3_600_000;
const BOSS: Principal = { tenantId: 'acme', keyName: 'boss', scopes: new Set(['admin', 'chat']) };

function start() {
  const clock = createManualClock();
  const rows: string[] = [];
  const state = { isBroken: false };
  const auditLog = {
    async record({ tenantId, actor, action, target, details }: AuditEntry) {
      await new Promise(setImmediate);
      if (state.isBroken) throw new Error('no row');
      rows.push([tenantId, actor, action, target, details?.['kind'], details?.['actorTenant']].join(' '));
    },
  };
  return { clock, rows, state, reads: new TextReads({ auditLog, clock }) };
}

test('a list has one row an hour for each key and each other tenant in it', async () => {
  const { clock, rows, reads } = start();
  await reads.recordList(BOSS, 'runs', ['globex', 'acme', 'globex', 'initech']);
  await reads.recordList(BOSS, 'runs', ['globex']);
  const first = ['globex boss session.read runs runs acme', 'initech boss session.read runs runs acme'];
  expect(rows).toEqual(first);
  await reads.recordList(BOSS, 'sessions', ['globex']);
  await reads.recordList({ ...BOSS, keyName: 'other' }, 'runs', ['globex']);
  const more = [...first, 'globex boss session.read sessions sessions acme', 'globex other session.read runs runs acme'];
  expect(rows).toEqual(more);
  clock.advance(HOUR_MS);
  await reads.recordList(BOSS, 'runs', ['globex']);
  expect(rows).toEqual([...more, first[0]]);
});

test('things of two tenants with the same id have a row each', async () => {
  const { rows, reads } = start();
  for (const tenantId of ['globex', 'initech']) await reads.record(BOSS, { tenantId, kind: 'run', id: 'run_1' });
  expect(rows).toEqual(['globex boss session.read run_1 run acme', 'initech boss session.read run_1 run acme']);
});

test('requests at the same time wait for one row', async () => {
  const { rows, reads } = start();
  const read = () => reads.recordList(BOSS, 'runs', ['globex']).then(() => rows.length);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
});

test('a row that could not be stored refuses all who wait for it, and the next request tries again', async () => {
  const { rows, state, reads } = start();
  state.isBroken = true;
  const read = () => reads.record(BOSS, { tenantId: 'globex', kind: 'run', id: 'run_1' });
  const results = await Promise.allSettled([read(), read()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  state.isBroken = false;
  await read();
  expect(rows).toHaveLength(1);
});
