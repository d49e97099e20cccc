/** Limits of what one server may send. A server that exceeds them is disconnected. */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { inBoth } from '../../utils/bilingual';
import { isDeeperThan } from '../../utils/json_depth';

/** One message, in bytes. Parsing one this large takes about 0.1 s. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
export const TOO_LONG = inBoth(
  `It sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB.`,
  `它发送的一条消息超过 ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB。`,
);
const MAX_DEPTH = 100;
const MAX_MESSAGES_PER_SECOND = 5_000;

/** Counts messages in a window of one second. */
export class MessageRate {
  private windowStart = 0;
  private count = 0;

  /** Returns true when the server has sent too many. `now`: monotonic milliseconds. */
  isExceeded(now: number): boolean {
    if (now - this.windowStart >= 1_000) {
      this.windowStart = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > MAX_MESSAGES_PER_SECOND;
  }
}

/** Parses one message. Returns undefined for anything else: some servers print lines for people among their messages. */
export function parseMessage(text: string): JSONRPCMessage | undefined {
  if (!text.startsWith('{') || isDeeperThan(text, MAX_DEPTH)) return undefined;
  try {
    const message = JSON.parse(text) as unknown;
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The protocol class of the SDK checks the rest of a message. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}
