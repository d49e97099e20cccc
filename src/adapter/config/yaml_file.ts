/** Parses configuration files in YAML and finds the line of a field for error messages. */
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { type ConfigFile, ConfigFileError } from '../../port/config_files';
import { contentHash } from '../../utils/content_hash';
import { keysOf } from '../../utils/json_pointer';
import { findRepeatedKey, REPEATED_KEY, REPEATED_KEYS_PASS } from '../../utils/repeated_key';

const MAX_FILE_BYTES = 262_144;
const MAX_ALIASES = 10;

/** Throws a ConfigFileError when the text is not YAML, is over 256 KiB, or expands without limit through its aliases. */
export function parseYaml(name: string, text: string): ConfigFile {
  const hash = contentHash(text);
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw wholeFileError({ name, hash }, 'the file is over 256 KiB');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, ...REPEATED_KEYS_PASS });
  const problem = document.errors[0] ?? document.warnings[0] ?? repeatedKey(document, lines);
  if (problem) throw syntaxError({ name, hash }, problem);
  return {
    name,
    value: toValue(document, { name, hash }),
    hash,
    problem(pointer, message) {
      const offset = offsetOf(document, pointer);
      const line = offset === undefined ? undefined : lines.linePos(offset).line;
      const text = `${name}: ${pointer || '/'}: ${message}${line === undefined ? '' : ` (line ${line})`}.`;
      return new ConfigFileError(text, { file: name, field: pointer, line, reason: message, hash });
    },
  };
}

type Problem = Pick<YAMLError, 'message' | 'linePos'>;

/** In the words of the parser. */
function repeatedKey(document: Document.Parsed, lines: LineCounter): Problem | undefined {
  const offset = findRepeatedKey(document);
  if (offset === undefined) return undefined;
  const { line, col } = lines.linePos(offset);
  return { message: `${REPEATED_KEY} at line ${line}, column ${col}:`, linePos: [{ line, col }] };
}

function syntaxError({ name: file, hash }: Named, { message, linePos }: Problem): ConfigFileError {
  const [first = ''] = message.split('\n');
  const line = linePos?.[0].line;
  const reason = first.replace(/ at line \d+, column \d+:?$/, '').replace(/\.$/, '');
  return new ConfigFileError(`${file}: ${first}`, { file, field: '', line, reason, hash });
}

type Named = Required<Pick<ConfigFile, 'name' | 'hash'>>;

const wholeFileError = ({ name: file, hash }: Named, reason: string): ConfigFileError =>
  new ConfigFileError(`${file}: ${reason}.`, { file, field: '', reason, hash });

function toValue(document: Document.Parsed, file: Named): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    // An alias may also name an anchor that comes later or does not exist.
    throw wholeFileError(file, `its aliases cannot be resolved, or repeat more than ${MAX_ALIASES} times what they stand for`);
  }
}

/** Returns the offset of the key or item that the pointer names, or of the innermost one around it. The pointer of the whole file has none. */
function offsetOf(document: Document.Parsed, pointer: string): number | undefined {
  if (pointer === '') return undefined;
  let node: unknown = document.contents;
  let offset = document.contents?.range[0];
  for (const segment of keysOf(pointer)) {
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
