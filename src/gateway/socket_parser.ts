/**
 * Parses Socket.IO packets and closes the connection on packets that no client of this protocol sends: binary packets, because an incomplete one
 * would stay in memory as long as the socket lives; a second CONNECT, because it would create a second identity; and, before the first CONNECT,
 * frames and namespaces longer than a handshake needs.
 */
import { PacketType, Decoder as PlainDecoder } from 'socket.io-parser';

export { Encoder } from 'socket.io-parser';

/** Characters of a frame before CONNECT. A handshake needs less than 4,000. */
const MAX_HANDSHAKE = 16 * 1024;
/** The most characters of a namespace, because the refusal of an unknown namespace repeats the namespace. */
const MAX_NAMESPACE = 64;

/** The Socket.IO server creates one decoder per connection. */
export class Decoder extends PlainDecoder {
  private hasConnected = false;

  /** Parses one frame. Throws when the connection must be closed. */
  override add(frame: unknown): void {
    if (typeof frame !== 'string') throw new Error('Binary frames are not part of the protocol.');
    // The type is read as in PlainDecoder, where a blank counts as 0.
    const type = Number(frame.charAt(0));
    if (type === PacketType.BINARY_EVENT || type === PacketType.BINARY_ACK) throw new Error('Binary packets are not part of the protocol.');
    if (!this.hasConnected && frame.length > MAX_HANDSHAKE) throw new Error('The frame is too long for a handshake.');
    const namespace = namespaceOf(frame);
    if (namespace.length > MAX_NAMESPACE) throw new Error('The namespace is too long.');
    if (type === PacketType.CONNECT && namespace === '/') this.noteConnect();
    super.add(frame);
  }

  private noteConnect(): void {
    if (this.hasConnected) throw new Error('The connection has connected before.');
    this.hasConnected = true;
  }
}

/**
 * Returns the namespace of a text packet without attachments, which stands behind the type and ends at a comma. Reads at most one character over the
 * limit.
 */
function namespaceOf(frame: string): string {
  if (frame.charAt(1) !== '/') return '/';
  return /^[^,]*/.exec(frame.slice(1, MAX_NAMESPACE + 2))?.[0] ?? '/';
}
