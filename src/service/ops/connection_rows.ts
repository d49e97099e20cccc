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
}
