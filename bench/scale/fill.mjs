/**
 * Fills a database through the store of the product: many sessions with runs, messages, events and tool calls, and one session with a long
 * history. The same sizes give the same rows.
 */

import { join } from 'node:path';
import { openBuiltStore } from '../built_store.mjs';

const TENANT = 'default';
const DAY_MS = 86_400_000;
/** Sessions of one transaction. */
const BATCH = 50;
const DELTAS = 40;
/** The long run of the long session has this part of its events. */
const LONG_RUN_SHARE = 0.2;
export const LONG_SESSION = 'ses_long';
export const LONG_RUN = 'run_long';
export const FIRST_LONG_RUN = 'run_long_0';

/**
 * Sizes of a database. `resultBytes`: text of each tool result; `longEvents`, `longMessages`: size of the long session. `large` is 1 GB.
 */
export const SIZES = {
  empty: { sessions: 1, runsPerSession: 1, resultBytes: 4_500, longEvents: 200, longMessages: 20 },
  middle: { sessions: 1_000, runsPerSession: 3, resultBytes: 4_500, longEvents: 10_000, longMessages: 2_000 },
  large: { sessions: 10_000, runsPerSession: 3, resultBytes: 4_500, longEvents: 100_000, longMessages: 20_000 },
};

/** `root`: a built gateway; `dataDir`: its data directory; `databaseUrl`: a Postgres instead of the file in it; `end`: time of the newest row, in milliseconds since 1970. */
export async function fillDatabase({ root, dataDir, databaseUrl, size, end = Date.now() }) {
  const store = await openBuiltStore({ root, path: join(dataDir, 'neta.db'), databaseUrl });
  for (let first = 0; first < size.sessions; first += BATCH) {
    const count = Math.min(BATCH, size.sessions - first);
    await store.transaction('none', async tx => {
      for (let i = first; i < first + count; i += 1) await addSession(tx, i, size, end);
    });
  }
  await addLongSession(store, size, end);
  await store.close();
}

const session = (id, title, at) => ({
  tenantId: TENANT,
  id,
  title,
  agent: 'default',
  locale: 'en',
  thinkingLevel: 'off',
  createdAt: at,
  updatedAt: at,
});

async function addSession(tx, index, { sessions, runsPerSession, resultBytes }, end) {
  const id = `ses_${index}`;
  const at = end - 60 * DAY_MS + Math.floor((index / sessions) * 59 * DAY_MS);
  await tx.sessions.insert(session(id, `Question ${index} about the garden`, at));
  for (let ordinal = 1; ordinal <= runsPerSession; ordinal += 1) {
    await addRun(tx, { id: `run_${index}_${ordinal}`, sessionId: id, ordinal, at: at + ordinal * 60_000, rounds: 2, resultBytes });
  }
}

/** Adds the long session: short runs of 20 messages each, then one long run. Its newest run ended a minute before `end`. */
async function addLongSession(store, { longEvents, longMessages, resultBytes }, end) {
  const runs = Math.floor(longMessages / 20);
  const perRun = Math.floor((longEvents * (1 - LONG_RUN_SHARE)) / runs);
  const start = end - 2 * 3_600_000;
  const at = ordinal => start + Math.floor((ordinal / (runs + 1)) * 7_000_000);
  await store.transaction('none', tx => tx.sessions.insert(session(LONG_SESSION, 'A long conversation', end - 60_000)));
  for (let i = 0; i < runs; i += 1) {
    const run = {
      id: `run_long_${i}`,
      sessionId: LONG_SESSION,
      ordinal: i + 1,
      at: at(i),
      rounds: 9,
      resultBytes: resultBytes / 9,
      events: perRun,
    };
    await store.transaction('none', tx => addRun(tx, run));
  }
  const last = {
    id: LONG_RUN,
    sessionId: LONG_SESSION,
    ordinal: runs + 1,
    at: at(runs),
    rounds: Math.min(200, Math.ceil(longEvents / 100)),
    resultBytes: 500,
  };
  await store.transaction('none', tx => addRun(tx, { ...last, events: Math.floor(longEvents * LONG_RUN_SHARE) }));
}

/** Adds a run with its messages, events and tool calls. `events`: how many; without it the deltas are few. */
async function addRun(tx, { id, sessionId, ordinal, at, rounds, resultBytes, events }) {
  const run = { tenantId: TENANT, id, sessionId, epoch: 1 };
  const usage = { inputTokens: 900, outputTokens: 200 };
  const text = answer(ordinal);
  await tx.runs.insert({
    ...run,
    status: 'completed',
    door: 'socketio',
    agent: 'default',
    locale: 'en',
    input: `Question ${ordinal}: what grows in bed ${ordinal % 12}?`,
    interaction: { clarify: 'wait', clarifyTimeoutMs: 20_000 },
    limits: {},
    lastSeq: 0,
    recoveries: 0,
    cancelRequested: false,
    outcome: { text, usage },
    createdAt: at,
    startedAt: at,
    endedAt: at + 5_000,
  });
  const deltas = events === undefined ? DELTAS : Math.max(1, Math.floor((events - 3 - rounds * 3) / (rounds + 1)));
  const bodies = [{ type: 'run_start', data: { door: 'socketio', agent: 'default', model: 'scripted', tools: [], input: 'Question' } }];
  const messages = [{ role: 'user', content: `Question ${ordinal}: what grows in bed ${ordinal % 12}?` }];
  for (let round = 0; round < rounds; round += 1) await addRound(tx, { run, at, round, deltas, bodies, messages, resultBytes });
  bodies.push(...textDeltas(deltas), { type: 'message_end', data: { role: 'assistant', content: text } });
  messages.push({ role: 'assistant', content: text });
  bodies.push({ type: 'run_end', data: { status: 'completed', text, usage } });
  const place = { tenantId: TENANT, sessionId, runId: id, runOrdinal: ordinal, createdAt: at };
  await tx.messages.insert(messages.map((message, position) => ({ ...place, id: `msg_${id}_${position}`, position, message })));
  const ts = new Date(at).toISOString();
  await tx.events.append(
    run,
    bodies.map((body, i) => ({ v: 1, sessionId, runId: id, seq: i + 1, ts, ...body })),
  );
}

async function addRound(tx, { run, at, round, deltas, bodies, messages, resultBytes }) {
  const toolCallId = `call_${round}`;
  const args = { path: `beds/${round}.txt` };
  const result = 'A line about beans, peas and the beds they grow in.\n'.repeat(Math.ceil(resultBytes / 52));
  bodies.push(...textDeltas(deltas));
  bodies.push({
    type: 'message_end',
    data: { role: 'assistant', content: '', toolCalls: [{ toolCallId, name: 'read_file', arguments: JSON.stringify(args) }] },
  });
  bodies.push({ type: 'tool_call_start', data: { toolCallId, name: 'read_file', label: 'Read a file', args } });
  bodies.push({ type: 'tool_call_end', data: { toolCallId, name: 'read_file', ok: true, result, durationMs: 3 } });
  messages.push({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: toolCallId, type: 'function', function: { name: 'read_file', arguments: JSON.stringify(args) } }],
  });
  messages.push({ role: 'tool', tool_call_id: toolCallId, content: result });
  const id = `exe_${run.id}_${round}`;
  const { sessionId, id: runId } = run;
  await tx.toolExecutions.insert({
    tenantId: TENANT,
    id,
    sessionId,
    runId,
    toolCallId,
    tool: 'read_file',
    args: JSON.stringify(args),
    status: 'running',
    createdAt: at,
  });
  await tx.toolExecutions.finish(TENANT, id, { status: 'success', result, durationMs: 3, endedAt: at + 3 });
}

const textDeltas = count => Array.from({ length: count }, (_, i) => ({ type: 'text_delta', data: { text: `token${i} ` } }));

const answer = ordinal => `Beans grow in bed ${ordinal % 12}. `.repeat(8);
