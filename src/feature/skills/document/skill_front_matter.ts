/** Splits a SKILL.md into front matter and instructions, and parses the YAML of the front matter. */
import { type Document, isMap, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { type Bilingual, inBoth } from '../../../utils/bilingual';
import { findRepeatedKey, REPEATED_KEY, REPEATED_KEYS_PASS } from '../../../utils/repeated_key';

const MAX_FRONT_MATTER = 64 * 1024;
const FENCE = /^---[ \t]*$/;

interface LineProblem {
  line: number;
  problem: Bilingual;
}

interface SplitText {
  yaml: string;
  /** Number of the line with the opening ---, from 1. */
  fenceLine: number;
  instructions: string;
}

export function splitFrontMatter(text: string): SplitText | LineProblem {
  const lines = text.split(/\r\n|\r|\n/);
  const start = lines.findIndex(line => line.trim() !== '');
  if (start === -1 || !FENCE.test(lines[start] ?? '')) {
    return { line: Math.max(start, 0) + 1, problem: NO_FRONT_MATTER };
  }
  const end = lines.findIndex((line, i) => i > start && FENCE.test(line));
  if (end === -1) return { line: start + 1, problem: NO_CLOSING_LINE };
  const yaml = lines.slice(start + 1, end).join('\n');
  if (yaml.length > MAX_FRONT_MATTER) return { line: start + 1, problem: LONG_FRONT_MATTER };
  const instructions = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { yaml, fenceLine: start + 1, instructions };
}

export interface ParsedYaml {
  map: YAMLMap;
  document: Document.Parsed;
  lines: LineCounter;
}

/**
 * Many published skills have an unquoted colon in their description, which is not YAML. When the text as written is no YAML, values
 * without quotes are read as plain text. `line` of a problem counts from 1 in the front matter.
 */
export function parseYaml(text: string): ParsedYaml | LineProblem {
  const first = parseOnce(text);
  if (!('problem' in first)) return first;
  const second = parseOnce(quoteValues(text.split('\n')).join('\n'));
  return 'problem' in second ? first : second;
}

function parseOnce(text: string): ParsedYaml | LineProblem {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, ...REPEATED_KEYS_PASS });
    const error = document.errors[0] ?? document.warnings[0];
    if (error) return { line: lines.linePos(error.pos[0]).line, problem: notYaml(error.message.split('\n')[0] ?? '') };
    const repeated = findRepeatedKey(document);
    if (repeated !== undefined)
      return { line: lines.linePos(repeated).line, problem: inBoth(`${REPEATED_KEY}.`, '同一个字段出现了两次。') };
    if (!isMap(document.contents)) return { line: 1, problem: NO_FIELDS };
    return { map: document.contents, document, lines };
  } catch {
    return { line: 1, problem: TOO_DEEP };
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

const NO_FRONT_MATTER = inBoth(
  'must begin with front matter: a line of ---, then name and description.',
  '必须以文件头开始：一行 ---，然后是 name 和 description。',
);
const NO_CLOSING_LINE = inBoth('the front matter has no closing line of ---.', '文件头缺少结尾的 ---。');
const NO_FIELDS = inBoth('the front matter must consist of fields such as `name: ...`.', '文件头必须由 `name: ...` 这样的字段组成。');
const TOO_DEEP = inBoth('the front matter is nested too deeply to be read.', '文件头嵌套过深，无法读取。');
const LONG_FRONT_MATTER = inBoth(
  `the front matter has more than ${MAX_FRONT_MATTER / 1024} KiB.`,
  `文件头超过 ${MAX_FRONT_MATTER / 1024} KiB。`,
);

/** The YAML parser speaks English alone, so its sentence is quoted in Chinese. */
const notYaml = (sentence: string): Bilingual => inBoth(`${sentence}.`, `YAML 语法错误：“${sentence}”。`);
