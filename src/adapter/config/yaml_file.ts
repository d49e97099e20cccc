/** Parses configuration files in YAML and finds the line of a field for error messages. */
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { ConfigFile } from '../../port/config_files';

const MAX_FILE_BYTES = 262_144;
const MAX_ALIASES = 10;

/** Throws one sentence that names the file when the text is not YAML, is over 256 KiB, or expands without limit through its aliases. */
export function parseYaml(name: string, text: string): ConfigFile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw new Error(`${name}: the file is over 256 KiB.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw new Error(`${name}: ${problem.message.split('\n')[0]}`);
  return {
    name,
    value: toValue(document, name),
    problem(pointer, message) {
      const offset = offsetOf(document, pointer);
      const line = offset === undefined ? '' : ` (line ${lines.linePos(offset).line})`;
      return new Error(`${name}: ${pointer || '/'}: ${message}${line}.`);
    },
  };
}

function toValue(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    // An alias may also name an anchor that comes later or does not exist.
    throw new Error(`${name}: its aliases cannot be resolved, or repeat more than ${MAX_ALIASES} times what they stand for.`);
  }
}

/** Returns the offset of the key or item that the pointer names. */
function offsetOf(document: Document.Parsed, pointer: string): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const segment of pointer.split('/').slice(1)) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
      if (!pair) break;
      offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
