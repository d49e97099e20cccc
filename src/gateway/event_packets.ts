/**
 * Events as Socket.IO packets. `socket.emit` would encode an event for each socket and keep a copy for each one that does not read; here it
 * is encoded once, and large events are kept as one websocket frame that all connections share.
 */
import type { Socket } from 'socket.io';
import type { EventSink } from '../service/run/run_subscription';
import { memoByObject } from '../utils/memo_by_object';

type SentEvent = Parameters<EventSink>[0][number];

/** Length in characters from which sharing a frame pays off. */
const LARGE_PACKET = 16 * 1024;
const FINAL_TEXT = 0x81;

/** Writes an event `message` of the namespace `/`, as `socket.emit` would. */
export function sendEvent(conn: Socket['conn'], event: SentEvent): void {
  const packet = encodePacket(event);
  if (packet.length < LARGE_PACKET) conn.write(packet);
  // An option that Socket.IO's own broadcasts use; transports other than websocket take the text.
  else conn.write(packet, { wsPreEncodedFrame: frameOf(event) } as Parameters<typeof conn.write>[1]);
}

/** 2: a packet of type EVENT. */
const encodePacket = memoByObject((event: SentEvent): string => `2["message",${JSON.stringify(event)}]`);

/** 4: a packet of Engine.IO of type message. Header and payload as RFC 6455, section 5.2, has them: unmasked, in one frame. */
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
