/** What must hold for all gateways on one Postgres together, beside the promises to each client. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { StoreReader } from '../../src/port/store/store';
import { checkAuditChain } from '../../src/service/audit/check_audit_chain';
import { createRestClient } from '../support/rest_client';
import type { Violation } from './client_record';

const SAMPLE_MS = 20;
const TWO_ACTIVE = `select session_id, string_agg(id, ', ') as runs from runs where status in ('running', 'waiting')
  group by tenant_id, session_id having count(*) > 1`;
/** Messages are indexed, and audit rows chained, after their run. */
const SETTLE_MS = 30_000;
/** Searches at the same time. */
const SEARCHES = 4;

/** Looks every 20 ms, while the server answers, for a session with two active runs, until `stop`, which resolves with what it found. */
export function watchActiveRuns(client: Pool): { stop(): Promise<Violation[]> } {
  const found = new Set<string>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ session_id: string; runs: string }>(TWO_ACTIVE).catch(() => ({ rows: [] }));
      for (const { session_id, runs } of rows) found.add(`session ${session_id} has the active runs ${runs}`);
      await pause(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return [...found].map(detail => ({ kind: 'two_active_runs', detail }));
    },
  };
}

/** Checks the whole database when all work has ended. `url`: any gateway. */
export async function checkCluster(client: Pool, read: StoreReader, url: string): Promise<Violation[]> {
  return [
    ...(await settled(() => checkAudit(client, read))),
    ...(await settled(() => checkUsage(client, read))),
    ...(await checkSearch(client, url)),
  ];
}

/** Repeats a check until it finds nothing, or the time for work behind the runs is over. */
async function settled(check: () => Promise<Violation[]>): Promise<Violation[]> {
  for (const end = performance.now() + SETTLE_MS; ; await pause(500)) {
    const violations = await check();
    if (violations.length === 0 || performance.now() > end) return violations;
  }
}

/** Counts the deadlocks since the last start of the server: one that is killed forgets its figures. */
export async function checkDeadlocks(client: Pool): Promise<Violation[]> {
  const { rows } = await client.query<{ deadlocks: number }>(
    'select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()',
  );
  const deadlocks = rows[0]?.deadlocks ?? 0;
  return deadlocks > 0 ? [{ kind: 'deadlock', detail: `Postgres ended ${deadlocks} deadlocks` }] : [];
}

async function checkAudit(client: Pool, read: StoreReader): Promise<Violation[]> {
  const result = await checkAuditChain(read);
  const { rows } = await client.query<{ rows: number }>('select count(*)::int as rows from audit_log');
  const stored = rows[0]?.rows ?? 0;
  if (result.ok && result.rows === stored) return [];
  return [{ kind: 'audit_chain', detail: `${stored} rows of the audit log are stored, its chain says ${JSON.stringify(result)}` }];
}

/** Compares the usage of all days with the sum over the runs. */
async function checkUsage(client: Pool, read: StoreReader): Promise<Violation[]> {
  const days = await read.usageSums.sum({ from: '2000-01-01', to: '2100-01-01' }, 'day');
  const total = (field: 'runs' | 'inputTokens' | 'outputTokens') => days.reduce((sum, day) => sum + day[field], 0);
  const counted = { runs: total('runs'), inputTokens: total('inputTokens'), outputTokens: total('outputTokens') };
  const { rows } = await client.query<typeof counted>(
    `select count(*)::int as runs,
       coalesce(sum((outcome::json -> 'usage' ->> 'inputTokens')::int), 0)::int as "inputTokens",
       coalesce(sum((outcome::json -> 'usage' ->> 'outputTokens')::int), 0)::int as "outputTokens"
     from runs where ended_at is not null`,
  );
  const [stored] = rows;
  if (JSON.stringify(stored) === JSON.stringify(counted)) return [];
  return [{ kind: 'usage_sum', detail: `the usage of all days is ${JSON.stringify(counted)}, that of the runs ${JSON.stringify(stored)}` }];
}

/** Searches for each stored message of a person, in its session. */
async function checkSearch(client: Pool, url: string): Promise<Violation[]> {
  const { rows } = await client.query<{ session_id: string; text: string }>(
    `select distinct session_id, message::json ->> 'content' as text from messages where message::json ->> 'role' = 'user'`,
  );
  const rest = createRestClient(url);
  const find = async ({ session_id, text }: (typeof rows)[number]) => {
    const query = new URLSearchParams({ q: `"${text}"`, sessionId: session_id, role: 'user' });
    const { body } = await rest.request<{ data?: unknown[] }>('GET', `/search?${query}`);
    return body.data?.length ? [] : [{ kind: 'not_found' as const, detail: `search does not find "${text}" of session ${session_id}` }];
  };
  let missing = rows;
  const violations: Violation[] = [];
  await settled(async () => {
    violations.length = 0;
    const next: typeof rows = [];
    for (let i = 0; i < missing.length; i += SEARCHES) {
      const part = missing.slice(i, i + SEARCHES);
      const found = await Promise.all(part.map(find));
      found.forEach((result, j) => void (result.length > 0 && next.push(part[j]!)));
      violations.push(...found.flat());
    }
    missing = next;
    return violations;
  });
  return violations;
}
