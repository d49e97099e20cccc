/**
 * Talks to a server over the pipes of its process. The SDK's own transport starts the process in our process group, with our environment's HOME
 * and USER, and without a sandbox.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MAX_MESSAGE_BYTES, parseMessage, TOO_LONG } from './message_limits';
import type { ServerProcess } from './server_process';

const NEWLINE = 0x0a;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private parts: Buffer[] = [];
  private size = 0;
  private readonly lines: string[] = [];
  private isDelivering = false;
  private isClosed = false;

  /** `onNoise`: called with lines of stdout that are no messages. */
  constructor(
    private readonly server: ServerProcess,
    private readonly onNoise: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    const { stdin, stdout } = this.server.child;
    stdout.on('data', (chunk: Buffer) => this.read(chunk));
    stdout.on('error', error => this.onerror?.(error));
    // The process may end before it has read everything.
    stdin.on('error', error => this.onerror?.(error));
    void this.server.exited.then(() => this.finish());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.server.child;
    if (this.isClosed || !stdin.writable) throw new Error('The server has ended.');
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.server.stop();
    this.finish();
  }

  private finish(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.parts = [];
    this.onclose?.();
  }

  private read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1 && !this.isClosed; end = rest.indexOf(NEWLINE)) {
      this.parts.push(rest.subarray(0, end));
      this.lines.push(Buffer.concat(this.parts).toString('utf8').trim());
      this.parts = [];
      this.size = 0;
      rest = rest.subarray(end + 1);
    }
    void this.deliver();
    if (rest.length === 0 || this.isClosed) return;
    this.parts.push(rest);
    this.size += rest.length;
    if (this.size > MAX_MESSAGE_BYTES) this.server.fail(TOO_LONG);
  }

  /** The SDK handles a notification one microtask later. Without a pause a result in the same chunk would drop the progress before it. */
  private async deliver(): Promise<void> {
    if (this.isDelivering) return;
    this.isDelivering = true;
    for (let line = this.lines.shift(); line !== undefined; line = this.lines.shift()) {
      if (line === '' || this.isClosed) continue;
      const message = parseMessage(line);
      if (message) this.onmessage?.(message);
      else this.onNoise(line);
      await Promise.resolve();
    }
    this.isDelivering = false;
  }
}
