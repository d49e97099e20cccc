/** The last messages of one session, so that a client whose stream broke gets what it has missed. They are kept in memory. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, JSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';

interface StoredEvent {
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

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const { length: units } = JSON.stringify(message);
    // A tool can answer 16 MiB, and a key can have 100 sessions.
    const kept = units > MAX_UNITS && 'result' in message ? { message: withoutResult(message), units: 0 } : { message, units };
    const event = { number: ++this.lastNumber, streamId, ...kept };
    this.events.push(event);
    this.units += event.units;
    while (this.events.length > 1 && (this.events.length > MAX_EVENTS || this.units > MAX_UNITS)) {
      this.units -= this.events.shift()?.units ?? 0;
    }
    return `${streamId}_${event.number}`;
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
    for (const { streamId, number, message } of missed) {
      // The empty message begins a stream, so that there is an event to continue from.
      if (Object.keys(message).length > 0) await send(`${streamId}_${number}`, message);
    }
    return last.streamId;
  }

  private find(eventId: string): StoredEvent | undefined {
    return this.events.find(({ streamId, number }) => `${streamId}_${number}` === eventId);
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
