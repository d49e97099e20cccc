/** Stores a chat of many turns. */
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import type { ChatMessage } from '../../src/port/llm';
import { DEFAULT_TENANT } from '../../src/port/principal';
import type { RunRecord } from '../../src/port/store/runs';
import { STORE_PARTS } from './store_parts';
import { aMessage, aRun, aSession } from './store_records';

export const LONG_CHAT = 'ses_long';

export interface LongChat {
  /** Path of the database. */
  path: string;
  turns: number;
  /** Returns the messages of a turn; the first turn has the ordinal 1 and the run `run_1`. */
  messagesOf: (ordinal: number) => readonly ChatMessage[];
  /** Fields of a run that differ from those of a completed run. */
  runOf?: (ordinal: number) => Partial<RunRecord>;
}

/** Stores the chat LONG_CHAT in one transaction. */
export async function fillLongChat({ path, turns, messagesOf, runOf }: LongChat): Promise<void> {
  const store = await openSqliteStore({ parts: STORE_PARTS, path });
  const of = { tenantId: DEFAULT_TENANT, sessionId: LONG_CHAT };
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ tenantId: DEFAULT_TENANT, id: LONG_CHAT, title: 'A long talk' }));
    for (let ordinal = 1; ordinal <= turns; ordinal += 1) {
      const runId = `run_${ordinal}`;
      await tx.runs.insert(aRun({ ...of, id: runId, status: 'completed', createdAt: ordinal, ...runOf?.(ordinal) }));
      const place = { ...of, runId, runOrdinal: ordinal };
      const messages = messagesOf(ordinal);
      await tx.messages.insert(
        messages.map((message, position) => aMessage({ ...place, position, message, id: `msg_${ordinal}_${position}` })),
      );
    }
  });
  await store.close();
}
