/** What events of a run mean for the other tables: the history, the tool executions, the plan. Written in the transaction of the event. */
import type { IdSource } from '../port/clock';
import type { ChatMessage } from '../port/llm';
import type { RunEventBody, RunEventData } from '../port/run_event';
import type { StoreTransaction } from '../port/store';
import type { MessageRecord, RunRecord } from '../port/store_records';
import { clipText } from '../utils/clip_text';

const STORED_ARGS_LIMIT = 20_000;

export class RunProjection {
  /** toolCallId -> id of its execution. */
  private readonly executions = new Map<string, string>();

  constructor(
    private readonly run: RunRecord,
    private readonly ports: { ids: IdSource },
    private nextPosition: number,
  ) {}

  async apply(tx: StoreTransaction, entries: readonly { body: RunEventBody; message?: ChatMessage }[], now: number): Promise<void> {
    const messages = entries.flatMap(entry => (entry.message ? [entry.message] : []));
    if (messages.length > 0) await tx.insertMessages(messages.map(message => this.messageRecord(message, now)));
    for (const { body } of entries) {
      if (body.type === 'tool_call_start') await this.startExecution(tx, body.data, now);
      else if (body.type === 'tool_call_end') await this.finishExecution(tx, body.data, now);
      else if (body.type === 'todo_update') {
        const { tenantId, sessionId } = this.run;
        await tx.putTodos({ tenantId, sessionId, todos: body.data.todos, updatedAt: now });
      }
    }
  }

  private messageRecord(message: ChatMessage, now: number): MessageRecord {
    const { tenantId, sessionId, id: runId, ordinal: runOrdinal } = this.run;
    const id = this.ports.ids.next('msg');
    return { tenantId, id, sessionId, runId, runOrdinal, position: this.nextPosition++, message, createdAt: now };
  }

  private async startExecution(tx: StoreTransaction, data: RunEventData<'tool_call_start'>, now: number): Promise<void> {
    const id = this.ports.ids.next('exe');
    this.executions.set(data.toolCallId, id);
    const { tenantId, sessionId, id: runId } = this.run;
    const args = clipText(JSON.stringify(data.args) ?? '', STORED_ARGS_LIMIT);
    await tx.insertToolExecution({
      tenantId,
      id,
      sessionId,
      runId,
      toolCallId: data.toolCallId,
      tool: data.name,
      args,
      status: 'running',
      createdAt: now,
    });
  }

  private async finishExecution(tx: StoreTransaction, data: RunEventData<'tool_call_end'>, now: number): Promise<void> {
    const id = this.executions.get(data.toolCallId);
    if (id === undefined) return;
    const { ok, result, durationMs, cached, duplicate, details } = data;
    await tx.finishToolExecution(this.run.tenantId, id, {
      status: ok ? 'success' : 'error',
      ...(ok ? { result } : { error: result }),
      durationMs,
      ...(cached !== undefined && { cached }),
      ...(duplicate !== undefined && { duplicate }),
      ...(details && { details }),
      endedAt: now,
    });
  }
}
