/** Complete store records for tests; a test sets only the fields that matter to it. */

import type { MemoryRecord } from '../../src/feature/memory/store/memory_records';
import type { PersonRecord } from '../../src/feature/people/store/people_records';
import type { RunEvent, RunEventBody } from '../../src/port/run_event';
import type { MessageRecord } from '../../src/port/store/messages';
import type { QuestionRecord } from '../../src/port/store/questions';
import type { RunRecord } from '../../src/port/store/runs';
import type { SessionRecord } from '../../src/port/store/sessions';
import type { SteeringMessage } from '../../src/port/store/steering_messages';
import type { Store, StoreTransaction } from '../../src/port/store/store';
import type { ToolExecutionRecord } from '../../src/port/store/tool_executions';

export const TENANT = 'acme';

export const aSession = (fields: Partial<SessionRecord> = {}): SessionRecord => ({
  tenantId: TENANT,
  id: 'ses_1',
  title: 'Garden plan',
  agent: 'default',
  locale: 'en',
  thinkingLevel: 'off',
  createdAt: 1_000,
  updatedAt: 1_000,
  ...fields,
});

export const aRun = (fields: Partial<RunRecord> = {}): Omit<RunRecord, 'ordinal'> => ({
  tenantId: TENANT,
  id: 'run_1',
  sessionId: 'ses_1',
  status: 'running',
  door: 'socketio',
  agent: 'default',
  locale: 'en',
  input: 'Plant beans',
  interaction: { clarify: 'wait', clarifyTimeoutMs: 20_000 },
  limits: {},
  lastSeq: 0,
  epoch: 1,
  recoveries: 0,
  cancelRequested: false,
  createdAt: 1_000,
  ...fields,
});

export const aMessage = (fields: Partial<MessageRecord> = {}): MessageRecord => ({
  tenantId: TENANT,
  id: `msg_${fields.runOrdinal ?? 1}_${fields.position ?? 0}`,
  sessionId: 'ses_1',
  runId: 'run_1',
  runOrdinal: 1,
  position: 0,
  message: { role: 'user', content: 'Plant beans' },
  createdAt: 1_000,
  ...fields,
});

export const aQuestion = (fields: Partial<QuestionRecord> = {}): QuestionRecord => ({
  tenantId: TENANT,
  id: 'question-1',
  kind: 'clarification',
  sessionId: 'ses_1',
  runId: 'run_1',
  mode: 'wait',
  question: 'Which bed?',
  status: 'pending',
  createdAt: 1_000,
  expiresAt: 21_000,
  ...fields,
});

export const aToolExecution = (fields: Partial<ToolExecutionRecord> = {}): ToolExecutionRecord => ({
  tenantId: TENANT,
  id: 'exe_1',
  sessionId: 'ses_1',
  runId: 'run_1',
  tool: 'read_file',
  args: '{"path":"beds.txt"}',
  status: 'running',
  createdAt: 1_000,
  ...fields,
});

export const aSteeringMessage = (fields: Partial<SteeringMessage> = {}): SteeringMessage => ({
  tenantId: TENANT,
  id: 'steer_1',
  sessionId: 'ses_1',
  runId: 'run_1',
  text: 'Peas instead',
  createdAt: 2_000,
  ...fields,
});

export const aPerson = (fields: Partial<PersonRecord> = {}): PersonRecord => ({
  tenantId: TENANT,
  id: 'per_1',
  handle: '@anna',
  name: 'Anna',
  email: 'anna@example.com',
  role: 'member',
  locale: 'en',
  state: 'active',
  subject: 'subject',
  passwordHash: 'hash',
  madeBy: 'invitation',
  createdAt: 1,
  updatedAt: 1,
  ...fields,
});

export const aMemory = (fields: Partial<MemoryRecord> = {}): MemoryRecord => ({
  tenantId: TENANT,
  id: 'mem_1',
  text: 'Grows beans in the garden',
  kind: 'fact',
  source: { by: 'person' },
  createdAt: 1_000,
  updatedAt: 1_000,
  ...fields,
});

/** The key of `aRun()` for `events.append`. */
export const RUN = { tenantId: TENANT, id: 'run_1', sessionId: 'ses_1', epoch: 1 };

/** Turns bodies into events with seq from `firstSeq`, 7 ms apart. */
export const numbered = (bodies: readonly RunEventBody[], firstSeq = 1, run: { id: string; sessionId: string } = RUN): RunEvent[] =>
  bodies.map((body, i) => ({
    v: 1,
    sessionId: run.sessionId,
    runId: run.id,
    seq: firstSeq + i,
    ts: new Date(1_760_000_000_000 + 7 * (firstSeq + i)).toISOString(),
    ...body,
  }));

export const textDelta = (text: string): RunEventBody => ({ type: 'text_delta', data: { text } });

/** Inserts a session with a running run. */
export async function seed(store: Store, more: (tx: StoreTransaction) => Promise<unknown> = async () => undefined): Promise<void> {
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    await tx.runs.insert(aRun());
    await more(tx);
  });
}

/** Inserts a running run in a session of its own, `ses_of_<id>`: a session has at most one active run. */
export async function insertRun(tx: StoreTransaction, { id = 'run_1', ...fields }: Partial<RunRecord>): Promise<RunRecord> {
  const run = aRun({ id, sessionId: `ses_of_${id}`, ...fields });
  await tx.sessions.insert(aSession({ tenantId: run.tenantId, id: run.sessionId }));
  return tx.runs.insert(run);
}

/** Reads all pages of a list, two records a page. */
export async function readAll<T>(
  list: (page: { limit: number; cursor?: string }) => Promise<{ data: T[]; nextCursor?: string }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) });
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
