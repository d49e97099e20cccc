/** Reads a SKILL.md: front matter in YAML between two lines of `---`, then instructions in Markdown. Nothing in it is executed. */
import { isAlias, isMap, isScalar, type YAMLMap } from 'yaml';
import { type Bilingual, inBoth } from '../../../utils/bilingual';
import { clipStart } from '../../../utils/clip_text';
import { type ParsedYaml, parseYaml, splitFrontMatter } from './skill_front_matter';

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
  | { ok: true; document: SkillDocument; warnings: readonly Bilingual[] }
  | { ok: false; problems: readonly Bilingual[]; seen: { description?: string; tools?: readonly string[] } };

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
const MAX_ENTRIES = 100;
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
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    const most = `${MAX_DOCUMENT_BYTES / 1024} KiB`;
    return broken(file, inBoth(`has more than ${most}.`, `超过 ${most}。`));
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) return broken(file, inBoth('is not UTF-8 text.', '不是 UTF-8 文本。'));
  const split = splitFrontMatter(text);
  if ('problem' in split) return broken(`${file}:${split.line}`, split.problem);
  const yaml = parseYaml(split.yaml);
  if ('problem' in yaml) return broken(`${file}:${split.fenceLine + yaml.line}`, yaml.problem);
  return new DocumentReader(yaml, { file, folder, isNew, fenceLine: split.fenceLine, instructions: split.instructions }).read();
}

const broken = (place: string, problem: Bilingual): ReadDocument => ({ ok: false, problems: [at(place, problem)], seen: {} });

/** `place`: file, often with its line. */
const at = (place: string, { en, 'zh-CN': zhCN }: Bilingual): Bilingual => inBoth(`${place}: ${en}`, `${place}：${zhCN}`);

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

interface DocumentPlace {
  file: string;
  folder: string;
  isNew: boolean;
  fenceLine: number;
  instructions: string;
}

class DocumentReader {
  private readonly problems: Bilingual[] = [];
  private readonly warnings: Bilingual[] = [];

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
    if (!name) return this.refuse('name', inBoth('name is required.', '缺少必需的 name。'));
    if (!NAME.test(name)) {
      return this.refuse('name', BAD_NAME);
    }
    return name === folder
      ? name
      : this.refuse('name', inBoth(`name must be the name of the folder, ${folder}.`, `name 必须与文件夹同名：${folder}。`));
  }

  private nameOfFolder(name: string | undefined): string | undefined {
    const { folder } = this.place;
    if (!FOLDER.test(folder)) {
      return this.refuse('name', BAD_FOLDER);
    }
    if (name !== folder) {
      const shown = name && JSON.stringify(clipStart(visibleText(name), MAX_SHOWN_NAME));
      const [en, zhCN] = shown ? [`name is ${shown}`, `name 为 ${shown}`] : ['name is missing', '缺少 name'];
      this.warn('name', inBoth(`${en}; the skill has the name of its folder, ${folder}.`, `${zhCN}；技能以文件夹命名：${folder}。`));
    }
    return folder;
  }

  private readDescription(): string | undefined {
    const description = visibleText(this.textOf('description') ?? '')
      .trim()
      .replace(/\s+/g, ' ');
    if (description === '') return this.refuse('description', inBoth('description is required.', '缺少必需的 description。'));
    const characters = [...description];
    if (characters.length <= MAX_DESCRIPTION) return description;
    const most = MAX_DESCRIPTION.toLocaleString('en');
    const [en, zhCN] = [`description has more than ${most} characters`, `description 超过 ${most} 个字符`];
    if (this.place.isNew) return this.refuse('description', inBoth(`${en}.`, `${zhCN}。`));
    this.warn('description', inBoth(`${en}; its end is left out.`, `${zhCN}；末尾已省略。`));
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

  private refuse(field: string, problem: Bilingual): undefined {
    this.problems.push(at(this.lineOf(field), problem));
    return undefined;
  }

  private warn(field: string, warning: Bilingual): void {
    this.warnings.push(at(this.lineOf(field), warning));
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

const BAD_NAME = inBoth(
  'name must consist of lower-case letters, digits and single hyphens, at most 64.',
  'name 由小写字母、数字和单个连字符组成，最多 64 个字符。',
);
const BAD_FOLDER = inBoth(
  'the name of the folder must consist of letters, digits, spaces and . _ + -, at most 64.',
  '文件夹的名称由字母、数字、空格和 . _ + - 组成，最多 64 个字符。',
);
