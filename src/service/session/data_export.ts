/** Reads everything that the gateway stores of a session or of a tenant, a page at a time, for a person who takes the data along. */

import type { RunEvent } from '../../port/run_event';
import type { MessageRecord } from '../../port/store/messages';
import type { Owned } from '../../port/store/owned';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Viewer } from '../../port/store/session_access';
import type { SessionFilter, SessionRecord } from '../../port/store/sessions';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import type { SummaryRecord } from '../../port/store/summaries';
import type { TodoListRecord } from '../../port/store/todos';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import { isSeen } from '../access/owned_things';
import { allOf } from '../all_pages';

export type ExportedItem =
  | { type: 'session'; record: SessionRecord }
  | { type: 'message'; record: MessageRecord }
  | { type: 'plan'; record: TodoListRecord }
  | { type: 'summary'; record: SummaryRecord }
  | { type: 'run'; record: RunRecord }
  | { type: 'event'; record: RunEvent }
  | { type: 'question'; record: QuestionRecord }
  | { type: 'tool_execution'; record: ToolExecutionRecord }
  | FeatureItem;

/** A row of a feature, in the form of the feature's routes. */
export interface FeatureItem {
  type: 'feature';
  name: string;
  data: object;
  /** The session whose texts it has. Absent: it has none of a session. */
  sessionId?: string | undefined;
  /** The thing with its owner. Absent: its tenant sees it. */
  thing?: Owned;
  /** The key or the person who wrote it. */
  by?: string | undefined;
  /** Deletes the row, when its person is forgotten. */
  erase?(tx: StoreTransaction): Promise<unknown>;
}

/** Yields what a feature keeps of a tenant. */
export type ExportSource = (read: StoreReader, tenantId: string) => AsyncIterable<FeatureItem>;

type Items = AsyncGenerator<ExportedItem>;

const BYTES = 1024 * 1024;
const EVENTS = 500;

/** Yields the session with everything that belongs to it, then the sessions of its child runs. */
export async function* exportSession(read: StoreReader, session: SessionRecord): Items {
  const { tenantId, id: sessionId } = session;
  yield { type: 'session', record: session };
  for await (const record of allOf(page => read.messages.list(tenantId, sessionId, page))) yield { type: 'message', record };
  const plan = await read.todos.get(tenantId, sessionId);
  if (plan) yield { type: 'plan', record: plan };
  const summary = await read.summaries.get(tenantId, sessionId);
  if (summary) yield { type: 'summary', record: summary };
  for await (const record of allOf(page => read.runs.list(tenantId, { sessionId }, page))) {
    yield { type: 'run', record };
    yield* exportEvents(read, record);
  }
  for await (const record of allOf(page => read.questions.list(tenantId, { sessionId }, page))) yield { type: 'question', record };
  for await (const record of allOf(page => read.toolExecutions.list(tenantId, { sessionId }, page)))
    yield { type: 'tool_execution', record };
  for (const id of await read.sessions.childIds(tenantId, sessionId)) {
    const child = await read.sessions.get(tenantId, id);
    if (child) yield* exportSession(read, child);
  }
}

/** Asks whether whoever gets the data sees a session. Absent: everything is seen. */
export type SeesSession = (sessionId: string) => Promise<boolean>;

/** Yields every session of the tenant that the viewer sees, then data that belongs to no session. `sees`: asks the same as `viewer`. */
export async function* exportTenant(
  read: StoreReader,
  tenantId: string,
  { sources, viewer, sees }: { sources: readonly ExportSource[]; viewer?: Viewer | undefined; sees?: SeesSession | undefined },
): Items {
  const doors = [undefined, 'openai', 'temporary'] as const;
  for (const originDoor of doors) {
    const filter: SessionFilter = { withHidden: true, originDoor, viewer };
    for await (const session of allOf(page => read.sessions.list(tenantId, page, filter))) yield* exportSession(read, session);
  }
  for await (const record of allOf(page => read.toolExecutions.list(tenantId, {}, page))) {
    if (record.sessionId === undefined) yield { type: 'tool_execution', record };
  }
  yield* readSources(read, tenantId, { sources, viewer, sees });
}

/** Yields what features keep of the tenant, without rows of sessions and things that are not seen. */
export async function* readSources(
  read: StoreReader,
  tenantId: string,
  { sources, viewer, sees }: { sources: readonly ExportSource[]; viewer?: Viewer | undefined; sees?: SeesSession | undefined },
): AsyncGenerator<FeatureItem> {
  for (const source of sources)
    for await (const item of source(read, tenantId)) {
      if (viewer && item.thing && !isSeen(viewer, item.thing)) continue;
      if (!sees || item.sessionId === undefined || (await sees(item.sessionId))) yield item;
    }
}

async function* exportEvents(read: StoreReader, { tenantId, id, lastSeq }: RunRecord): Items {
  for (let after = 0; ; ) {
    const events = await read.events.list(tenantId, id, after, { limit: EVENTS, maxBytes: BYTES });
    for (const record of events) yield { type: 'event', record };
    const last = events.at(-1);
    if (!last || last.seq >= lastSeq) return;
    after = last.seq;
  }
}
