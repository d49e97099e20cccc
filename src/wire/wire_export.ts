/** Encodes exported data: one JSON object a line, `{ type, data }`, in the forms of the other routes. */
import type { ExportedItem } from '../service/session/data_export';
import { toWireApproval, toWireClarification, toWireMessage, toWireRun, toWireSession, toWireToolExecution } from './wire_records';

export async function* toExportLines(items: AsyncIterable<ExportedItem>): AsyncGenerator<string> {
  for await (const item of items)
    yield `${JSON.stringify({ type: item.type === 'feature' ? item.name : item.type, data: toWire(item) })}\n`;
}

function toWire(item: ExportedItem): object {
  switch (item.type) {
    case 'session':
      return toWireSession(item.record);
    case 'message':
      return { sessionId: item.record.sessionId, ...toWireMessage(item.record) };
    case 'plan': {
      const { sessionId, todos, updatedAt } = item.record;
      return { sessionId, todos, updatedAt: new Date(updatedAt).toISOString() };
    }
    case 'summary': {
      const { sessionId, text, createdAt } = item.record;
      return { sessionId, text, createdAt: new Date(createdAt).toISOString() };
    }
    case 'run':
      return toWireRun(item.record);
    case 'event':
      return item.record;
    case 'question':
      return item.record.kind === 'approval' ? toWireApproval(item.record) : toWireClarification(item.record);
    case 'tool_execution':
      return toWireToolExecution(item.record);
    case 'feature':
      return item.data;
  }
}
