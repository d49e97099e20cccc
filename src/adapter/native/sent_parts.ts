/** The pieces of a request that the vendors' APIs have in common. */

/** Matches the ids of calls that the vendors' own APIs take. */
export const TAKEN_CALL_IDS = /^[A-Za-z0-9_-]{1,64}$/;

/** Stands before an answer or a call that no message of a person precedes: APIs want a conversation to begin with a person. */
export const BEGINNING = '[The beginning of the conversation is left out.]';

/** Returns undefined for a file whose bytes the request does not have. */
export function base64Of(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
