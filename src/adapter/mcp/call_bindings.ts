/**
 * Finds the call to which a message of the server belongs. Over streamable HTTP the answer of each call is a stream of its own, and questions of the
 * server during the call come in that stream. The SDK does not pass this on, but it reads each stream in the asynchronous context in which the call
 * was sent.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpCallKey, McpTransportKind } from '../../port/mcp';

/** The most cancelled calls that are watched for a late answer; the newest are kept. */
const MAX_CANCELLED = 100;

const context = new AsyncLocalStorage<McpCallKey | undefined>();

export class CallBindings {
  /** Request id -> its call, as long as the call is open. */
  private readonly sent = new Map<unknown, McpCallKey>();
  private readonly cancelled = new Map<unknown, McpCallKey>();

  constructor(private readonly kind: McpTransportKind) {}

  /** The call in whose stream the present message came; undefined where the transport has one stream for all. */
  get current(): McpCallKey | undefined {
    return this.kind === 'http' ? context.getStore() : undefined;
  }

  /** Runs `send`, which sends the request of the call `key`. */
  async within<T>(key: McpCallKey, send: () => Promise<T>): Promise<T> {
    try {
      return await context.run(key, send);
    } finally {
      for (const [id, call] of this.sent) if (call === key) this.sent.delete(id);
    }
  }

  /** Runs `open`, which opens streams that belong to no call, whichever call asked for them. */
  outsideOfCalls<T>(open: () => Promise<T>): Promise<T> {
    return context.run(undefined, open);
  }

  /** Reads the ids of requests and cancellations that go through a transport. */
  watchRequests(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.noteSent(message);
      return send(message, options);
    };
  }

  /** Returns the cancelled call that a message answers. */
  takeLateAnswer(message: JSONRPCMessage): McpCallKey | undefined {
    if ('method' in message || message.id === undefined) return undefined;
    const call = this.cancelled.get(message.id);
    this.cancelled.delete(message.id);
    // A cancelled stream ends with an answer that this adapter wrote itself.
    return this.kind === 'http' ? undefined : call;
  }

  private noteSent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const key = context.getStore();
    if ('id' in message) {
      if (key) this.sent.set(message.id, key);
      return;
    }
    if (message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    const call = this.sent.get(id);
    if (!call) return;
    this.cancelled.set(id, call);
    const [oldest] = this.cancelled.keys();
    if (this.cancelled.size > MAX_CANCELLED) this.cancelled.delete(oldest);
  }
}
