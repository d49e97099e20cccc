/** Replay of long logs: it is quick and complete, and the gateway never holds a whole log in memory. */

import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import type { RunEvent, RunEventBody } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type PageBody, parseEventStream } from '../support/rest_client';
import { STORE_PARTS } from '../support/store_parts';
import { aRun, aSession, numbered } from '../support/store_records';

const EVENTS = 10_000;
/** CPU time of the gateway, because elapsed time depends on the load of the machine and on the speed of the test. */
const REPLAY_LIMIT_MS = 1_000;
const TICK_MS = 10;
const SLOW_READERS = 20;
const MEBIBYTE = 2 ** 20;
const END: RunEventBody = { type: 'run_end', data: { status: 'completed', text: '', usage: { inputTokens: 0, outputTokens: 0 } } };

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  const tokens = Array.from({ length: EVENTS - 1 }, (_, i) =>
    i % 50 === 49 ? usageEvent() : ({ type: 'text_delta', data: { text: `word ${i} ` } } as const),
  );
  const pages = Array.from({ length: EVENTS - 1 }, (_, i) => messageEvent(`${i} ${'x'.repeat(2_000)}`));
  await bench.gateway.kill();
  await storeRun('tokens', [...tokens, END]);
  await storeRun('pages', [...pages, END]);
  await bench.gateway.restart();
});

afterAll(() => bench?.stop());

const usageEvent = (): RunEventBody => ({ type: 'usage', data: { inputTokens: 1, outputTokens: 1 } });
const messageEvent = (content: string): RunEventBody => ({ type: 'message_end', data: { role: 'assistant', content } });

/** Stores an ended run `run_<name>` in the session `ses_<name>`. */
async function storeRun(name: string, bodies: readonly RunEventBody[]): Promise<void> {
  const place = { tenantId: 'default', id: `run_${name}`, sessionId: `ses_${name}`, epoch: 1 };
  const store = await openSqliteStore({ parts: STORE_PARTS, path: join(bench.gateway.dataDir, 'neta.db') });
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ tenantId: 'default', id: place.sessionId }));
    await tx.runs.insert(aRun({ ...place, status: 'completed', endedAt: Date.now() }));
    await tx.events.append(place, numbered(bodies, 1, { id: place.id, sessionId: place.sessionId }));
  });
  await store.close();
}

const isWhole = (events: readonly RunEvent[]): boolean => events.length === EVENTS && events.every((event, i) => event.seq === i + 1);

async function costOf(replay: () => Promise<void>): Promise<number> {
  const before = await processorMs();
  await replay();
  return (await processorMs()) - before;
}

async function processorMs(): Promise<number> {
  const stat = await readFile(`/proc/${bench.gateway.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${bench.gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

describe(`a replay of ${EVENTS} events`, () => {
  it('takes less than a second of CPU time over a socket', async () => {
    const cost = await costOf(async () => {
      const client = await bench.connect();
      await client.send({ type: 'subscribe', sessionId: 'ses_tokens', after: { runId: 'run_tokens', seq: 0 } });
      await client.endOf('run_tokens');
      expect(isWhole(client.eventsOf('run_tokens'))).toBe(true);
      client.close();
    });
    expect(cost).toBeLessThan(REPLAY_LIMIT_MS);
  });

  it('takes less than a second of CPU time as server-sent events', async () => {
    const cost = await costOf(async () => expect(isWhole(await bench.rest.stream('GET', '/runs/run_tokens/events'))).toBe(true));
    expect(cost).toBeLessThan(REPLAY_LIMIT_MS);
  });

  it('takes less than a second of CPU time as pages of JSON', async () => {
    const cost = await costOf(async () => {
      const events: RunEvent[] = [];
      for (let after: string | undefined = '0'; after !== undefined; ) {
        const page: { body: PageBody<RunEvent> } = await bench.rest.request('GET', `/runs/run_tokens/events?limit=1000&after=${after}`);
        events.push(...page.body.data);
        after = page.body.nextCursor;
      }
      expect(isWhole(events)).toBe(true);
    });
    expect(cost).toBeLessThan(REPLAY_LIMIT_MS);
  });
});

it(`keeps memory low for ${SLOW_READERS} readers that do not read, and delivers everything once they do`, async () => {
  const before = await residentBytes();
  const url = `${bench.gateway.url}/api/v1/runs/run_pages/events`;
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { accept: 'text/event-stream' } }, resolve).on('error', reject);
    });
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, open));
  // When a quick reader has everything, the gateway has also filled the buffers of the slow ones.
  expect(isWhole(await bench.rest.stream('GET', '/runs/run_pages/events'))).toBe(true);
  const growth = (await residentBytes()) - before;
  // One copy of the log for each reader would take 400 MiB.
  expect(growth).toBeLessThan(150 * MEBIBYTE);
  const [first, ...others] = readers;
  for (const reader of others) reader.destroy();
  const chunks: Buffer[] = [];
  for await (const chunk of first!) chunks.push(chunk as Buffer);
  expect(isWhole(parseEventStream(Buffer.concat(chunks).toString()))).toBe(true);
});
