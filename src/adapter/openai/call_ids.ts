/** Gives tool calls the ids that a server takes. The history keeps its own. */
import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Every dialect takes ids of nine letters and digits. */
const LENGTH = 9;

/** The ids of one request. The same call gets the same id in each request, so that a server can keep what it has read. */
export class CallIds {
  /** Ids of this request, and the call that each one belongs to. */
  private readonly owners = new Map<string, string>();

  /** `kept`: ids that go to the server unchanged. */
  constructor(kept: Iterable<string>) {
    for (const id of kept) this.owners.set(id, id);
  }

  /** Returns an id of nine letters and digits that no other call of this request has. */
  shortIdOf(id: string): string {
    for (let attempt = 0; ; attempt++) {
      const short = hashOf(attempt === 0 ? id : `${id} ${attempt}`);
      const owner = this.owners.get(short);
      if (owner !== undefined && owner !== id) continue;
      this.owners.set(short, id);
      return short;
    }
  }
}

function hashOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  let id = '';
  for (const byte of bytes.subarray(0, LENGTH)) id += ALPHABET.charAt(byte % ALPHABET.length);
  return id;
}
