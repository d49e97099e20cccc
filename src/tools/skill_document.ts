/** Reads a SKILL.md: front matter in YAML between two lines of `---`, then instructions in Markdown. Nothing in it is executed. */
import { type Document, isAlias, isMap, isScalar, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { clipStart } from '../utils/clip_text';
import { findRepeatedKey, REPEATED_KEY, REPEATED_KEYS_PASS } from '../utils/repeated_key';

export interface SkillDocument {
  /** The name of the folder. */
  name: string;
  /** On one line, without invisible characters. */
  description: string;
  license?: string;
  compatibility?: string;
  metadata: Readonly<Record<string, string>>;
  /** Names of the tools in `allowed-tools`, as written, without the patterns in brackets. */
  tools: readonly string[];
  /** The text after the front matter. */
  instructions: string;
}

/**
 * `problems` and `warnings`: sentences that begin with file and line; a document with warnings can be used. `seen`: fields that are valid although
 * others are not.
 */
export type ReadDocument =
  | { ok: true; document: SkillDocument; warnings: readonly string[] }
  | { ok: false; problems: readonly string[]; seen: { description?: string; tools?: readonly string[] } };

/** The name of a new skill and of its folder: lower-case letters, digits and single hyphens. */
export const SKILL_NAME = '^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$';
const MAX_DOCUMENT_BYTES = 256 * 1024;

const NAME = new RegExp(SKILL_NAME);
/** The name of a folder that people have published: some have capitals, underscores or letters of other scripts. */
const FOLDER = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._+-]{0,63}$/u;
const MAX_SHOWN_NAME = 80;
const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;
const MAX_TEXT = 1_000;
const MAX_FRONT_MATTER = 64 * 1024;
const MAX_ENTRIES = 100;
const FENCE = /^---[ \t]*$/;
// Control characters, zero-width characters, direction marks and tags: a person does not see them, a model reads them.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * `file`: the name that problems show. `folder`: the name of the skill's folder. `isNew`: the text is about to be written, so its name must be right;
 * in published folders it often is not, and the name of the folder counts. Never throws; O(length of the text).
 */
export function readDocument(
  bytes: Uint8Array,
  { file, folder, isNew = false }: { file: string; folder: string; isNew?: boolean },
): ReadDocument {
  if (bytes.length > MAX_DOCUMENT_BYTES) return broken(`${file}: has more than ${MAX_DOCUMENT_BYTES / 1024} KiB.`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return broken(`${file}: is not UTF-8 text.`);
  const split = splitFrontMatter(text);
  if ('problem' in split) return broken(`${file}:${split.line}: ${split.problem}`);
  const yaml = parseYaml(split.yaml);
  if ('problem' in yaml) return broken(`${file}:${split.fenceLine + yaml.line}: ${yaml.problem}`);
  return new DocumentReader(yaml, { file, folder, isNew, fenceLine: split.fenceLine, instructions: split.instructions }).read();
}

const broken = (problem: string): ReadDocument => ({ ok: false, problems: [problem], seen: {} });

/** Removes invisible characters that could hide instructions. */
export const visibleText = (text: string): string => text.replace(UNSEEN, '');

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // The decoder also removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

interface SplitText {
  yaml: string;
  /** Number of the line with the opening ---, from 1. */
  fenceLine: number;
  instructions: string;
}

function splitFrontMatter(text: string): SplitText | { line: number; problem: string } {
  const lines = text.split(/\r\n|\r|\n/);
  const start = lines.findIndex(line => line.trim() !== '');
  if (start === -1 || !FENCE.test(lines[start] ?? '')) {
    return { line: Math.max(start, 0) + 1, problem: 'must begin with front matter: a line of ---, then name and description.' };
  }
  const end = lines.findIndex((line, i) => i > start && FENCE.test(line));
  if (end === -1) return { line: start + 1, problem: 'the front matter has no closing line of ---.' };
  const yaml = lines.slice(start + 1, end).join('\n');
  if (yaml.length > MAX_FRONT_MATTER) return { line: start + 1, problem: `the front matter has more than ${MAX_FRONT_MATTER / 1024} KiB.` };
  const instructions = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { yaml, fenceLine: start + 1, instructions };
}

interface ParsedYaml {
  map: YAMLMap;
  document: Document.Parsed;
  lines: LineCounter;
}

/**
 * Many published skills have an unquoted colon in their description, which is not YAML. When the text as written is no YAML, values
 * without quotes are read as plain text. `line` of a problem counts from 1 in the front matter.
 */
function parseYaml(text: string): ParsedYaml | { line: number; problem: string } {
  const first = parseOnce(text);
  if (!('problem' in first)) return first;
  const second = parseOnce(quoteValues(text.split('\n')).join('\n'));
  return 'problem' in second ? first : second;
}

function parseOnce(text: string): ParsedYaml | { line: number; problem: string } {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, ...REPEATED_KEYS_PASS });
    const error = document.errors[0] ?? document.warnings[0];
    if (error) return { line: lines.linePos(error.pos[0]).line, problem: `${error.message.split('\n')[0]}.` };
    const repeated = findRepeatedKey(document);
    if (repeated !== undefined) return { line: lines.linePos(repeated).line, problem: `${REPEATED_KEY}.` };
    if (!isMap(document.contents)) return { line: 1, problem: 'the front matter must consist of fields such as `name: ...`.' };
    return { map: document.contents, document, lines };
  } catch {
    return { line: 1, problem: 'the front matter is nested too deeply to be read.' };
  }
}

/** A field whose value may be plain text. Tags and anchors stay YAML, so that they are refused as such. */
const PLAIN_FIELD = /^([A-Za-z][\w-]*):[ \t]+(?!["'|>!&])(\S.*)$/;
const TEXT_FIELDS = new Set(['name', 'description', 'license', 'compatibility', 'argument-hint']);

/** Quotes plain values with the lines that continue them. The number of lines stays, for the lines of problems. */
function quoteValues(lines: readonly string[]): string[] {
  const quoted: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    const [, field = '', value = ''] = PLAIN_FIELD.exec(line) ?? [];
    if (field === '' || (/^[[{]/.test(value) && !TEXT_FIELDS.has(field))) {
      quoted.push(line);
      continue;
    }
    const rest = lines.slice(i + 1);
    const end = rest.findIndex(next => !/^[ \t]+\S/.test(next));
    const continued = end === -1 ? rest : rest.slice(0, end);
    quoted.push(`${field}: ${JSON.stringify([value, ...continued].map(part => part.trim()).join(' '))}`, ...continued.map(() => ''));
    i += continued.length;
  }
  return quoted;
}

interface DocumentPlace {
  file: string;
  folder: string;
  isNew: boolean;
  fenceLine: number;
  instructions: string;
}

class DocumentReader {
  private readonly problems: string[] = [];
  private readonly warnings: string[] = [];

  constructor(
    private readonly yaml: ParsedYaml,
    private readonly place: DocumentPlace,
  ) {}

  read(): ReadDocument {
    const name = this.readName();
    const description = this.readDescription();
    const tools = this.readTools();
    if (this.problems.length > 0 || name === undefined || description === undefined) {
      return { ok: false, problems: this.problems, seen: { tools, description } };
    }
    const license = clipped(this.textOf('license'), MAX_TEXT);
    const compatibility = clipped(this.textOf('compatibility'), MAX_COMPATIBILITY);
    const { instructions } = this.place;
    const texts = { license: license || undefined, compatibility: compatibility || undefined };
    const document = { name, description, ...texts, metadata: this.readMetadata(), tools, instructions };
    return { ok: true, document, warnings: this.warnings };
  }

  private readName(): string | undefined {
    const name = this.textOf('name')?.trim();
    const { folder, isNew } = this.place;
    if (!isNew) return this.nameOfFolder(name);
    if (!name) return this.refuse('name', 'name is required.');
    if (!NAME.test(name)) {
      return this.refuse('name', 'name must consist of lower-case letters, digits and single hyphens, at most 64.');
    }
    return name === folder ? name : this.refuse('name', `name must be the name of the folder, ${folder}.`);
  }

  private nameOfFolder(name: string | undefined): string | undefined {
    const { folder } = this.place;
    if (!FOLDER.test(folder)) {
      return this.refuse('name', 'the name of the folder must consist of letters, digits, spaces and . _ + -, at most 64.');
    }
    if (name !== folder) {
      const written = name ? `name is ${JSON.stringify(clipStart(visibleText(name), MAX_SHOWN_NAME))}` : 'name is missing';
      this.warnings.push(`${this.lineOf('name')}: ${written}; the skill has the name of its folder, ${folder}.`);
    }
    return folder;
  }

  private readDescription(): string | undefined {
    const description = visibleText(this.textOf('description') ?? '')
      .trim()
      .replace(/\s+/g, ' ');
    if (description === '') return this.refuse('description', 'description is required.');
    const characters = [...description];
    if (characters.length <= MAX_DESCRIPTION) return description;
    const problem = `description has more than ${MAX_DESCRIPTION.toLocaleString('en')} characters`;
    if (this.place.isNew) return this.refuse('description', `${problem}.`);
    this.warnings.push(`${this.lineOf('description')}: ${problem}; its end is left out.`);
    return characters.slice(0, MAX_DESCRIPTION).join('');
  }

  /** Reads a list, or a text whose names are separated by spaces or commas: `Read, Bash(git log *)`. */
  private readTools(): string[] {
    const value = this.valueOf('allowed-tools');
    const entries = Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [value];
    const names = entries.flatMap(entry => (typeof entry === 'string' ? namesIn(entry) : []));
    return [...new Set(names)].slice(0, MAX_ENTRIES);
  }

  /** The format allows texts by name; numbers and switches become texts, anything nested is left out. */
  private readMetadata(): Record<string, string> {
    const node = this.yaml.map.get('metadata', true);
    if (!isMap(node)) return {};
    const texts = node.items.flatMap(({ key, value }) => {
      const [name, text] = [this.asText(key), this.asText(value)];
      return name === undefined || text === undefined ? [] : [[name, clipped(text, MAX_TEXT) ?? ''] as const];
    });
    return Object.fromEntries(texts.slice(0, MAX_ENTRIES));
  }

  private textOf(field: string): string | undefined {
    return this.asText(this.yaml.map.get(field, true));
  }

  /** Returns a text as it is and a number or a switch as it is written, so that a version 1.0 stays 1.0; undefined for anything else. */
  private asText(node: unknown): string | undefined {
    const scalar = isAlias(node) ? node.resolve(this.yaml.document) : node;
    if (!isScalar(scalar)) return undefined;
    const { value, source } = scalar;
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? (source ?? String(value)) : undefined;
  }

  private valueOf(field: string): unknown {
    const node = this.yaml.map.get(field, true);
    try {
      return isScalar(node) ? node.value : (node as YAMLMap | undefined)?.toJS(this.yaml.document, { maxAliasCount: 10 });
    } catch {
      // Aliases that repeat too much.
      return undefined;
    }
  }

  private refuse(field: string, problem: string): undefined {
    this.problems.push(`${this.lineOf(field)}: ${problem}`);
    return undefined;
  }

  /** Returns file and line of a field, or of the front matter when there is no such field. */
  private lineOf(field: string): string {
    const { file, fenceLine } = this.place;
    const pair = this.yaml.map.items.find(({ key }) => isScalar(key) && key.value === field);
    const offset = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
    return `${file}:${fenceLine + (offset === undefined ? 0 : this.yaml.lines.linePos(offset).line)}`;
  }
}

const namesIn = (text: string): string[] =>
  text
    .replace(/\([^)]*\)?/g, '')
    .split(/[\s,]+/)
    .map(name => clipStart(visibleText(name), 64))
    .filter(name => name !== '');

const clipped = (text: string | undefined, most: number): string | undefined => text && clipStart(visibleText(text).trim(), most);
