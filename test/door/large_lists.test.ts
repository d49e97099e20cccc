/** Pages of lists are limited in bytes, so that large rows do not make the gateway read and encode without limit. */

import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { STORE_PARTS } from '../support/store_parts';
import { aMessage, aRun, aSession, aToolExecution } from '../support/store_records';

const PAGE_BYTES = 1024 * 1024;
const RUNS = 120;
const tenantId = 'default';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  await bench.gateway.kill();
  await storeLargeRows();
  await bench.gateway.restart();
});

afterAll(() => bench?.stop());

/** As large as metadata could be before it had a limit. */
async function storeLargeRows(): Promise<void> {
  const store = await openSqliteStore({ parts: STORE_PARTS, path: join(bench.gateway.dataDir, 'neta.db') });
  const metadata = { text: 'm'.repeat(900_000) };
  for (let i = 0; i < RUNS; i++) {
    const [session, run] = [`ses_${i}`, `run_${i}`];
    await store.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ tenantId, id: session, updatedAt: i, ...(i % 4 === 0 && { metadata }) }));
      await tx.runs.insert(aRun({ tenantId, id: run, sessionId: session, status: 'completed', createdAt: i, metadata }));
      const message = { role: 'user' as const, content: 'x'.repeat(200_000) };
      await tx.messages.insert([aMessage({ tenantId, id: `msg_${i}`, sessionId: 'ses_0', runId: 'run_0', position: i, message })]);
      const long = 'y'.repeat(20_000);
      await tx.toolExecutions.insert(
        aToolExecution({
          tenantId,
          id: `exe_${i}`,
          sessionId: 'ses_0',
          runId: 'run_0',
          args: long,
          result: long,
          status: 'success',
          createdAt: i,
        }),
      );
    });
  }
  await store.close();
}

interface Row {
  id?: string;
  runId?: string;
}

it.each([
  ['/runs', (row: Row) => row.runId],
  ['/sessions', (row: Row) => row.id],
  ['/sessions/ses_0/messages', (row: Row) => row.id],
  ['/tool-executions', (row: Row) => row.id],
])('a page of %s has at most 1 MiB, and the pages have every row once', async (path, idOf) => {
  const ids: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { status, headers, body } = await bench.rest.request<PageBody<Row>>('GET', `${path}?limit=1000${query}`);
    expect(status).toBe(200);
    expect(Number(headers.get('content-length'))).toBeLessThan(PAGE_BYTES + 1_000);
    expect(body.data.length).toBeGreaterThan(0);
    ids.push(...body.data.map(idOf));
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  expect(ids).toHaveLength(RUNS);
  expect(new Set(ids).size).toBe(RUNS);
});

it('a result has the newest tool calls, up to a few MiB', async () => {
  const { headers, body } = await bench.rest.request<{ toolCalls: unknown[] }>('GET', '/runs/run_0');
  expect(body.toolCalls.length).toBeGreaterThan(50);
  expect(Number(headers.get('content-length'))).toBeLessThan(6 * PAGE_BYTES);
});

it.each([
  ['POST', '/runs', { input: 'hello' }],
  ['POST', '/sessions', {}],
  ['PATCH', '/sessions/ses_0', {}],
])('%s %s refuses metadata over 16 KiB and names the field', async (method, path, body) => {
  const answer = await bench.rest.request<ErrorBody>(method, path, { ...body, metadata: { note: '\u00e9'.repeat(8_200) } });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: '/metadata' } } });
  expect(answer.body.error.message).toContain('16384');
});

it('metadata of 16 KiB is stored and returned', async () => {
  const metadata = { note: 'n'.repeat(16_384 - '{"note":""}'.length) };
  const { body } = await bench.rest.request<{ id: string }>('POST', '/sessions', { metadata });
  expect((await bench.rest.request('GET', `/sessions/${body.id}`)).body).toMatchObject({ metadata });
});
