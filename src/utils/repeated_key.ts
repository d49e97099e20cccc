/**
 * Finds a key that stands twice in a map of a YAML document. The parser would compare each key with all keys before it: a map of 60 KB would hold
 * the event loop for seconds.
 */
import { type Document, isMap, isScalar, isSeq } from 'yaml';

/** Options of `parseDocument` for a document that `findRepeatedKey` checks. */
export const REPEATED_KEYS_PASS = { uniqueKeys: false } as const;

export const REPEATED_KEY = 'Map keys must be unique';

/** Returns the offset of the second key; undefined when all maps are right. O(length of the document). */
export function findRepeatedKey(document: Document.Parsed): number | undefined {
  const nodes: unknown[] = [document.contents];
  // The list grows during this loop.
  for (const node of nodes) {
    if (isSeq(node)) for (const item of node.items) nodes.push(item);
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const { key, value } of node.items) {
      nodes.push(key, value);
      if (!isScalar(key)) continue;
      if (keys.has(key.value)) return key.range?.[0] ?? 0;
      keys.add(key.value);
    }
  }
  return undefined;
}
