/** The last messages of one session, so that a client whose stream broke gets what it has missed. They are kept in memory. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, JSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';
import { type StreamedCall, toEventIdEnd } from './streamed_call';

interface StoredEvent {
  id: string;
  number: number;
  streamId: string;
  message: JSONRPCMessage;
  units: number;
}

/** Limits of a session: messages, and characters of their JSON. The newest message is kept when it alone has more. */
const MAX_EVENTS = 500;
const MAX_UNITS = 512 * 1024;
const SERVER_ERROR = -32_000;

export class RecentEvents implements EventStore {
  private readonly events: StoredEvent[] = [];
  private units = 0;
  private lastNumber = 0;
  /** The SDK begins the stream of a call while it handles the request, and does not say which stream that is. */
  private readonly handled = new AsyncLocalStorage<StreamedCall>();
  /** Stream -> end of the ids of its events. */
  private readonly idEnds = new Map<string, string>();

  /** Handles the request of a call: the ids of the events that answer it name the call. */
  answerCall<T>(call: StreamedCall, handle: () => Promise<T>): Promise<T> {
    return this.handled.run(call, handle);
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const { length: units } = JSON.stringify(message);
    // A tool can answer 16 MiB, and a key can have 100 sessions.
    const kept = units > MAX_UNITS && 'result' in message ? { message: withoutResult(message), units: 0 } : { message, units };
    const number = ++this.lastNumber;
    const event = { id: `${streamId}_${number}${this.idEndOf(streamId, message)}`, number, streamId, ...kept };
    this.events.push(event);
    this.units += event.units;
    while (this.events.length > 1 && (this.events.length > MAX_EVENTS || this.units > MAX_UNITS)) {
      this.units -= this.events.shift()?.units ?? 0;
    }
    return event.id;
  }

  /** Resolves undefined for an event that is unknown or no longer kept: the client cannot continue behind it. */
  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.find(eventId)?.streamId;
  }

  /** Sends the later messages of the same stream. Rejects for an unknown event. */
  async replayEventsAfter(
    eventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.find(eventId);
    if (!last) throw new Error('The event is no longer kept.');
    const missed = this.events.filter(({ number, streamId }) => streamId === last.streamId && number > last.number);
    for (const { id, message } of missed) {
      // The empty message begins a stream, so that there is an event to continue from.
      if (Object.keys(message).length > 0) await send(id, message);
    }
    return last.streamId;
  }

  private find(eventId: string): StoredEvent | undefined {
    return this.events.find(({ id }) => id === eventId);
  }

  private idEndOf(streamId: string, message: JSONRPCMessage): string {
    const call = this.handled.getStore();
    const isOfAll = 'method' in message && message.method === 'notifications/tools/list_changed';
    const end = this.idEnds.get(streamId) ?? (call && !isOfAll ? toEventIdEnd(call) : '');
    // The result ends the stream.
    if ('result' in message || 'error' in message) this.idEnds.delete(streamId);
    else if (end !== '') this.idEnds.set(streamId, end);
    return end;
  }
}

/** Returns an error in place of an answer that is no longer kept, for a client that comes back for it. */
function withoutResult({ jsonrpc, id }: JSONRPCResultResponse): JSONRPCMessage {
  return {
    jsonrpc,
    id,
    error: { code: SERVER_ERROR, message: 'The answer was too large to be kept for a stream that broke. Call again.' },
  };
}
