/**
 * Encodes events as Socket.IO packets. `socket.emit` would encode an event once per socket and write each packet by itself. Here an event is
 * encoded once for all sockets, and the small events of one turn of the event loop leave in one write.
 */
import type { Socket } from 'socket.io';
import type { SessionNotice } from '../service/access/session_notice';
import { LARGE_ENCODING, memoEncoding, type SentEvent, WriteBatching } from '../wire/sent_events';

/** What sockets get: events of runs, and what is told beside them. */
export type SocketEvent = SentEvent | SessionNotice;

type WriteOptions = Parameters<Socket['conn']['write']>[1];

const FINAL_TEXT = 0x81;

/** Collects the events for one connection until the end of the current turn, and writes each as `message` in the namespace `/`, like `emit`. */
export class EventPackets {
  private batch: SocketEvent[] = [];
  /** Frames of the batch, kept here because the cache may forget a frame before the batch leaves. */
  private frames: Buffer[] = [];
  private batchBytes = 0;
  private readonly batching = new WriteBatching(() => this.flush());

  /** The collected events are written before any other packet of the connection, such as an ack. */
  constructor(private readonly socket: Socket) {
    socket.conn.on('packetCreate', () => this.flush());
  }

  add(event: SocketEvent): void {
    const frame = frameOf(event);
    if (this.batchBytes + frame.length >= LARGE_ENCODING) this.flush();
    this.batch.push(event);
    this.frames.push(frame);
    this.batchBytes += frame.length;
    this.batching.noteEvent(event.type);
  }

  private flush(): void {
    const { batch: events, frames } = this;
    this.batching.noteWritten();
    if (events.length === 0) return;
    this.batch = [];
    this.frames = [];
    this.batchBytes = 0;
    const { conn } = this.socket;
    if (conn.transport.name !== 'websocket') for (const event of events) conn.write(packetOf(event));
    else conn.write('', { wsPreEncodedFrame: [joinFrames(frames)] } as WriteOptions);
  }
}

/** The prefix 2 is the Socket.IO packet type EVENT. */
const encodePacket = (event: SocketEvent): string => `2["message",${JSON.stringify(event)}]`;

/** Encodes an event as a text packet, for transports without frames (polling). */
const packetOf = memoEncoding(encodePacket);

/** Builds one unmasked frame (RFC 6455, section 5.2). The prefix 4 is the Engine.IO packet type `message`. */
const frameOf = memoEncoding((event: SocketEvent): Buffer => {
  const payload = `4${encodePacket(event)}`;
  const length = Buffer.byteLength(payload);
  const start = length < 126 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FINAL_TEXT;
  frame[1] = start === 2 ? length : start === 4 ? 126 : 127;
  if (start === 4) frame.writeUInt16BE(length, 2);
  if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(payload, start);
  return frame;
});

/** A single frame is shared with the other connections. */
function joinFrames(frames: readonly Buffer[]): Buffer {
  const [first] = frames;
  return frames.length === 1 && first ? first : Buffer.concat(frames);
}
