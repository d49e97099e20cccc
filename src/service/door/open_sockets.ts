/** The sockets of this process, as the socket door tells of them. Without the door there are none. */

export interface OpenSockets {
  list(): ConnectionRow[];
  /** The transports and buffers of the sockets, for metrics. Unlike `list`, begins no measurement of lag. */
  traffic(): Pick<ConnectionRow, 'transport' | 'bufferedBytes'>[];
  /** Ends a connection. */
  disconnect(id: string): void;
}

export const NO_SOCKETS: OpenSockets = { list: () => [], traffic: () => [], disconnect: () => {} };

/** One connection of a client to one gateway, as operators see it. */
export interface ConnectionRow {
  id: string;
  tenantId: string;
  keyName: string;
  /** `websocket` or `polling`. */
  transport: string;
  /** ISO 8601. */
  connectedAt: string;
  userAgent?: string;
  /** Sessions that the connection follows. */
  sessions: number;
  /** Bytes that wait to be sent. */
  bufferedBytes: number;
  /** Version of the Engine.IO protocol. */
  protocol?: number;
  /** Milliseconds between the last heartbeat and its answer. Absent until one was measured, up to 25 s after the first look. */
  lagMs?: number;
  /** The connection took over the state of an earlier one. */
  recovered?: boolean;
  /** Number of subscriptions that got the events that they had missed. */
  replayed?: number;
  /** Number of subscriptions that could not get all missed events. */
  gaps?: number;
}
