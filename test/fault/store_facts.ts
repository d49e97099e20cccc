/** Reads the stored facts of some sessions directly from the database. */
import type { RunEvent } from '../../src/port/run_event';
import type { MessageRecord } from '../../src/port/store/messages';
import type { QuestionRecord } from '../../src/port/store/questions';
import type { RunRecord } from '../../src/port/store/runs';
import type { SteeringMessage } from '../../src/port/store/steering_messages';
import type { Store, StoreReader } from '../../src/port/store/store';
import type { ToolExecutionRecord } from '../../src/port/store/tool_executions';

export interface SessionFacts {
  sessionId: string;
  runs: RunRecord[];
  events: Map<string, RunEvent[]>;
  messages: MessageRecord[];
  clarifications: QuestionRecord[];
  executions: ToolExecutionRecord[];
  pendingSteeringMessages: SteeringMessage[];
}

const TENANT = 'default';
const PAGE = 1_000;

export async function readSessions(openStore: () => Promise<Store>, sessionIds: Iterable<string>): Promise<SessionFacts[]> {
  const store = await openStore();
  try {
    const facts: SessionFacts[] = [];
    for (const sessionId of sessionIds) facts.push(await readSession(store.read, sessionId));
    return facts;
  } finally {
    await store.close();
  }
}

async function readSession(read: StoreReader, sessionId: string): Promise<SessionFacts> {
  const runs = await read.runs.after(TENANT, sessionId, 0);
  const events = new Map<string, RunEvent[]>();
  const pendingSteeringMessages: SteeringMessage[] = [];
  for (const run of runs) {
    events.set(run.id, await readEvents(read, run));
    pendingSteeringMessages.push(...(await read.steeringMessages.pending(TENANT, run.id)));
  }
  return {
    sessionId,
    runs,
    events,
    messages: await read.messages.history(TENANT, sessionId),
    clarifications: (await read.questions.list(TENANT, { sessionId }, { limit: PAGE })).data,
    executions: (await read.toolExecutions.list(TENANT, { sessionId }, { limit: PAGE })).data,
    pendingSteeringMessages,
  };
}

/** Reads until no event is left, whatever lastSeq the run has. */
async function readEvents(read: StoreReader, run: RunRecord): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let after = 0, isMore = true; isMore; after += PAGE) {
    const page = await read.events.list(TENANT, run.id, after, PAGE);
    events.push(...page);
    isMore = page.length > 0;
  }
  return events;
}
