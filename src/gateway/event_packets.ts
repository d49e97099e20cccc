/**
 * Sends events as Socket.IO packets. `socket.emit` would encode an event once per socket and buffer a copy for each slow reader. Here an event is
 * encoded once, and all connections share one websocket frame of a large event.
 */
import type { Socket } from 'socket.io';
import type { EventSink } from '../service/run/run_subscription';
import { memoByObject } from '../utils/memo_by_object';

type SentEvent = Parameters<EventSink>[0][number];

/** Length in characters; sharing the frame of a shorter packet saves nothing. */
const LARGE_PACKET = 16 * 1024;
const FINAL_TEXT = 0x81;

/** Writes the event as `message` in the namespace `/`, like `socket.emit`. */
export function sendEvent(conn: Socket['conn'], event: SentEvent): void {
  const packet = encodePacket(event);
  if (packet.length < LARGE_PACKET) conn.write(packet);
  // Socket.IO's own broadcasts use this option; transports other than websocket send the text.
  else conn.write(packet, { wsPreEncodedFrame: frameOf(event) } as Parameters<typeof conn.write>[1]);
}

/** The prefix 2 is the Socket.IO packet type EVENT. */
const encodePacket = memoByObject((event: SentEvent): string => `2["message",${JSON.stringify(event)}]`);

/** The prefix 4 is the Engine.IO packet type `message`. Builds one unmasked frame (RFC 6455, section 5.2). */
const frameOf = memoByObject((event: SentEvent): [Buffer, Buffer] => {
  const payload = Buffer.from(`4${encodePacket(event)}`);
  const isLong = payload.length > 0xffff;
  const header = Buffer.alloc(isLong ? 10 : 4);
  header[0] = FINAL_TEXT;
  header[1] = isLong ? 127 : 126;
  if (isLong) header.writeBigUInt64BE(BigInt(payload.length), 2);
  else header.writeUInt16BE(payload.length, 2);
  return [header, payload];
});
