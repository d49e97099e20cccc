/**
 * Projects the events of a run to the other tables: messages, tool executions and the plan. The projection creates the rows once, outside the
 * transaction that stores rows and events, so that a retried transaction writes the same rows.
 */
import type { IdSource } from '../../port/clock';
import type { ChatMessage } from '../../port/llm';
import type { RunEvent, RunEventData } from '../../port/run_event';
import type { Lock } from '../../port/store/lock';
import type { MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreReader, StoreTransaction } from '../../port/store/store';
import type { ToolExecutionEnd, ToolExecutionRecord } from '../../port/store/tool_executions';
import { clipText } from '../../utils/clip_text';

const STORED_ARGS_LIMIT = 20_000;

/** The state of the tables when the writer of a run starts. A new run starts at position 1, after its user message. */
export interface ProjectionState {
  nextPosition: number;
  /** Tool call id -> id of its execution, for executions that have started and not ended. */
  openExecutions: ReadonlyMap<string, string>;
}

/** An event with the message that it completes; `at` is its time in milliseconds since 1970. */
export interface ProjectedEntry {
  event: RunEvent;
  message?: ChatMessage;
  at: number;
}

type Write = (tx: StoreTransaction) => Promise<unknown>;

export class RunProjection {
  private readonly executions: Map<string, string>;
  private nextPosition: number;
  /** All messages that were projected so far, in order. */
  readonly messages: MessageRecord[] = [];

  constructor(
    private readonly run: RunRecord,
    private readonly ids: IdSource,
    state: ProjectionState,
  ) {
    this.nextPosition = state.nextPosition;
    this.executions = new Map(state.openExecutions);
  }

  /** Creates the writes for these entries. Call it once for each entry, and each write once for each try of the transaction. */
  writesFor(entries: readonly ProjectedEntry[]): Write[] {
    const messages = entries.flatMap(({ message, at }) => (message ? [this.messageRecord(message, at)] : []));
    /** Executions that start in these entries, by tool call id: an execution that also ends here becomes one row at once. */
    const started = new Map<string, ToolExecutionRecord>();
    const writes: Write[] = [];
    for (const { event, at } of entries) {
      if (event.type === 'tool_call_start') {
        const execution = this.startExecution(event.data, at);
        started.set(event.data.toolCallId, execution);
        writes.push(tx => tx.toolExecutions.insert(execution));
      } else if (event.type === 'tool_call_end') {
        const execution = started.get(event.data.toolCallId);
        if (execution) Object.assign(execution, executionEnd(event.data, at));
        else writes.push(this.finishExecution(event.data, at));
      } else if (event.type === 'todo_update') {
        writes.push(this.putTodos(event.data, at));
      }
    }
    return messages.length > 0 ? [tx => tx.messages.insert(messages), ...writes] : writes;
  }

  private messageRecord(message: ChatMessage, now: number): MessageRecord {
    const { tenantId, sessionId, id: runId, ordinal: runOrdinal } = this.run;
    const id = this.ids.next('msg');
    const record = { tenantId, id, sessionId, runId, runOrdinal, position: this.nextPosition++, message, createdAt: now };
    this.messages.push(record);
    return record;
  }

  private startExecution({ toolCallId, name, command, args }: RunEventData<'tool_call_start'>, now: number): ToolExecutionRecord {
    const id = this.ids.next('exe');
    this.executions.set(toolCallId, id);
    const { tenantId, sessionId, id: runId, agent } = this.run;
    return {
      tenantId,
      id,
      sessionId,
      runId,
      toolCallId,
      tool: name,
      command,
      agent,
      args: clipText(JSON.stringify(args) ?? '', STORED_ARGS_LIMIT),
      status: 'running',
      createdAt: now,
    };
  }

  private finishExecution(data: RunEventData<'tool_call_end'>, now: number): Write {
    const id = this.executions.get(data.toolCallId);
    const end = executionEnd(data, now);
    return async tx => id !== undefined && tx.toolExecutions.finish(this.run.tenantId, id, end);
  }

  private putTodos({ todos }: RunEventData<'todo_update'>, now: number): Write {
    const { tenantId, sessionId } = this.run;
    return tx => tx.todos.put({ tenantId, sessionId, todos, updatedAt: now });
  }
}

function executionEnd(
  { ok, status, result, durationMs, cached, duplicate, details }: RunEventData<'tool_call_end'>,
  endedAt: number,
): ToolExecutionEnd {
  return {
    status: ok ? ('success' as const) : (status ?? ('error' as const)),
    result: ok ? result : undefined,
    error: ok ? undefined : result,
    durationMs,
    cached,
    duplicate,
    details,
    endedAt,
  };
}

/**
 * Returns the work that stores the events, and makes the other writes in the same transaction. The end of a run decides on the queue of its session.
 * Call it again after `store_unavailable`, also when it is unknown whether the attempt was committed: the events are stored once.
 */
export function appendOnce(
  store: Store,
  run: RunRecord,
  events: readonly RunEvent[],
  writes: readonly ((tx: StoreTransaction) => Promise<unknown>)[],
): () => Promise<void> {
  let isRepeated = false;
  const lock: Lock = events.some(({ type }) => type === 'run_end') ? { session: run } : 'run';
  return () => {
    const isFirst = !isRepeated;
    const done = store.transaction(lock, async tx => {
      if (isRepeated && (await isStored(tx, run, events))) return;
      isRepeated = true;
      await appendAndWrite(tx, run, events, writes);
    });
    if (isFirst) return done;
    // An earlier attempt may have been committed while this one waited for it.
    return done.catch(async thrown => {
      if (!(await isStored(store.read, run, events))) throw thrown;
    });
  };
}

/** The writes do not wait for the events, which would be one more round trip. The refusal of a writer that lost its run says more than their failures. */
async function appendAndWrite(
  tx: StoreTransaction,
  run: RunRecord,
  events: readonly RunEvent[],
  writes: readonly ((tx: StoreTransaction) => Promise<unknown>)[],
): Promise<void> {
  const appended = tx.events.append(run, events);
  if (writes.length === 0) return appended;
  const written = Promise.all(writes.map(write => write(tx)));
  written.catch(() => {});
  await appended;
  await written;
}

/** Only one writer advances a run in an epoch, so an earlier attempt stored events up to its last number. */
async function isStored(
  read: Pick<StoreReader, 'runs'>,
  { tenantId, id, epoch }: RunRecord,
  events: readonly RunEvent[],
): Promise<boolean> {
  const state = await read.runs.getState(tenantId, id);
  return state?.epoch === epoch && state.lastSeq >= (events.at(-1)?.seq ?? 0);
}
