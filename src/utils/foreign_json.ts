import { isDeeperThan } from './json_depth';

/** Bytes. The services in use send a tenth of this; parsing this much takes about 10 ms. */
const MAX_BYTES = 512 * 1024;
const MAX_DEPTH = 64;

/**
 * Parses the JSON answer of another server. Throws SyntaxError when it is not JSON, longer than 512 KiB or nested more than 64 deep, because
 * parsing such an answer would block the event loop.
 */
export function readForeignJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_BYTES) throw new SyntaxError(`more than ${MAX_BYTES / 1024} KiB`);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (isDeeperThan(text, MAX_DEPTH)) throw new SyntaxError(`nested more than ${MAX_DEPTH} deep`);
  return JSON.parse(text);
}
