/**
 * Reads the packets of Socket.IO and refuses those that no client of this protocol sends. What throws here closes the connection: binary
 * packets, whose halves would be held as long as the socket lives; a second CONNECT, which would make a second identity; and before the
 * first one, frames and namespaces that are longer than a handshake needs.
 */
import { PacketType, Decoder as PlainDecoder } from 'socket.io-parser';

export { Encoder } from 'socket.io-parser';

/** Characters of a frame before CONNECT was read. A handshake needs less than 4,000. */
const MAX_HANDSHAKE = 16 * 1024;
/** Characters of a namespace; an unknown one is sent back in its refusal. */
const MAX_NAMESPACE = 64;

/** One for each connection, made by the Socket.IO server. */
export class Decoder extends PlainDecoder {
  private hasConnected = false;

  /** Takes one frame. Throws when the connection must be closed. */
  override add(frame: unknown): void {
    if (typeof frame !== 'string') throw new Error('Binary frames are not part of the protocol.');
    // The same reading as in the parser, where a blank counts as 0.
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

/** The namespace of a text packet without attachments: it follows the type and ends at a comma. Reads at most one character more than the limit. */
function namespaceOf(frame: string): string {
  if (frame.charAt(1) !== '/') return '/';
  return /^[^,]*/.exec(frame.slice(1, MAX_NAMESPACE + 2))?.[0] ?? '/';
}
