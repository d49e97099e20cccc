/** A connection that carries texts to every node, this one too. The engines behind it differ; see node_bus.ts for what they carry. */
export interface NodeTransport {
  /** Bytes of the longest text. */
  readonly maxBytes: number;
  /** Sends a text. Returns at once and never throws; the text may be lost. */
  send(text: string): void;
  /** Begins to receive. `onLoss` is called whenever texts may have been lost, such as after a new connection. */
  receive(onText: (text: string) => void, onLoss: () => void): void;
  close(): Promise<void>;
}
