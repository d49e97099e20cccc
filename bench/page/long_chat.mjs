/** Stores a chat of many turns, each with a question and an answer. */
import { join } from 'node:path';
import { openBuiltStore } from '../built_store.mjs';

export const LONG_CHAT = 'ses_long';
export const TURNS = 2_000;
const TENANT = 'default';
const ANSWER =
  'Beans grow in this bed. They need **no feeding**, and `water` in the morning.\n\n- sow after the last frost\n- harvest in summer';

/** `root`: a built gateway; `dataDir`: its data directory. */
export async function fillLongChat(root, dataDir) {
  const store = await openBuiltStore({ root, path: join(dataDir, 'neta.db') });
  const now = Date.now();
  await store.transaction('none', async tx => {
    const common = { agent: 'default', locale: 'en' };
    await tx.sessions.insert({
      ...common,
      tenantId: TENANT,
      id: LONG_CHAT,
      title: 'A long chat',
      thinkingLevel: 'off',
      createdAt: now,
      updatedAt: now,
    });
    for (let ordinal = 1; ordinal <= TURNS; ordinal += 1) await addTurn(tx, ordinal, now - (TURNS - ordinal) * 1_000);
  });
  await store.close();
}

async function addTurn(tx, ordinal, createdAt) {
  const of = { tenantId: TENANT, sessionId: LONG_CHAT };
  const runId = `run_${ordinal}`;
  await tx.runs.insert({
    ...of,
    id: runId,
    status: 'completed',
    door: 'socketio',
    agent: 'default',
    locale: 'en',
    input: `Question ${ordinal}`,
    interaction: { clarify: 'wait', clarifyTimeoutMs: 20_000 },
    limits: {},
    lastSeq: 0,
    epoch: 1,
    recoveries: 0,
    cancelRequested: false,
    createdAt,
  });
  const messages = [
    { role: 'user', content: `Question ${ordinal}: what grows here?` },
    { role: 'assistant', content: ANSWER },
  ];
  const place = { ...of, runId, runOrdinal: ordinal, createdAt };
  await tx.messages.insert(messages.map((message, position) => ({ ...place, id: `msg_${ordinal}_${position}`, position, message })));
}
