import { isDeeperThan } from './json_depth';

/** Bytes: what the services in use send is a tenth of it, and reading as much takes some ten milliseconds. */
const MAX_BYTES = 512 * 1024;
const MAX_DEPTH = 64;

/** The JSON value of another server's answer. Throws SyntaxError for what is none, too long or nested without end: reading that would hold everybody up. */
export function readForeignJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_BYTES) throw new SyntaxError(`more than ${MAX_BYTES / 1024} KiB`);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (isDeeperThan(text, MAX_DEPTH)) throw new SyntaxError(`nested more than ${MAX_DEPTH} deep`);
  return JSON.parse(text);
}
