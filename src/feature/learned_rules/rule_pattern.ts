/** Finds the patterns that can stand for a call in a rule which allows it: the call itself, and a wider one for calls of its kind. */
import { posix } from 'node:path';
import { RE2JS } from 're2js';
import { commandOf } from '../../runtime/approval/default_rules';
import { splitCommands } from '../../runtime/approval/shell_words';
import { callKey } from '../../runtime/call_key';
import type { AgentTool } from '../../tools/common';
import { findInvisible } from '../../utils/invisible_text';

/** The patterns of one call. `group`: calls with the same group can share one wide pattern. Both are absent when no pattern is safe. */
export interface CallPatterns {
  exact?: string;
  /** Absent: calls of this kind have no safe wide pattern. */
  group?: string;
}

const MAX_PATTERN_UNITS = 300;
/** Commands that may take any plain words: the words name files, packages, tests or a message, and run no other program. */
const WIDE_COMMANDS = [
  'cargo build,cargo check,cargo clippy,cargo fmt,cargo test',
  'git add,git commit -m,git diff,git log,git status',
  'go build,go test,go vet',
  'npm ls,npm test,pnpm ls,pnpm test,yarn test',
  'pip check,pip list,pip show,poetry check,poetry show',
].flatMap(names => names.split(','));
/** Further words of a command: no options, assignments, redirections, variables, absolute paths, or arguments that are read from files. */
const PLAIN_WORDS = '(?: [\\w.][\\w.,:/@-]*)*';
/** Syntax with which a line does more than its words say. */
const SYNTAX = /[<>$`\n]/;
const PLAIN_PATH = /^(?:[\w-][\w. -]*\/)*[\w-][\w. -]*$/;
const FILE_BELOW = '(?:[\\w-][\\w. -]*/)*[\\w-][\\w. -]*';

/** Pure. `isIsolated`: commands run in a sandbox; without one only the same command again is safe. */
export function patternsOf(tool: AgentTool, args: unknown, isIsolated: boolean): CallPatterns {
  const line = commandOf({ tool, args });
  if (line !== undefined) return commandPatterns(line, isIsolated);
  if (typeof args !== 'object' || args === null) return {};
  const { path }: { path?: unknown } = args;
  if (typeof path === 'string') return isFlat(tool) ? pathPatterns(path, tool.reads !== 'private') : {};
  return { exact: checked(`^${RE2JS.quote(callKey('', args).trim())}$`), group: '' };
}

/** Returns the wide pattern of calls of one group, the narrowest that matches them all; undefined for one that matches each call of the tool. */
export function widePattern(tool: AgentTool, calls: readonly unknown[], group: string): string | undefined {
  const lines = calls.map(args => commandOf({ tool, args }));
  if (lines.some(line => line === undefined)) return group === '' ? undefined : group;
  const words = lines.map(line => wordsOf(line ?? '') ?? []);
  const [first = []] = words;
  const differsAt = first.findIndex((word, i) => words.some(other => other[i] !== word));
  const shared = differsAt === -1 ? first : first.slice(0, differsAt);
  return `^${RE2JS.quote(shared.join(' '))}${PLAIN_WORDS}$`;
}

function commandPatterns(line: string, isIsolated: boolean): CallPatterns {
  const words = wordsOf(line);
  if (!words) return {};
  const written = words.join(' ');
  const known = WIDE_COMMANDS.find(command => RE2JS.matches(`${RE2JS.quote(command)}${PLAIN_WORDS}`, written));
  return { exact: checked(`^${RE2JS.quote(written)}$`), group: isIsolated ? known : undefined };
}

/** Returns the words of a line that is one plain command. */
function wordsOf(line: string): string[] | undefined {
  const [command, ...more] = splitCommands(line);
  return !command || more.length > 0 || SYNTAX.test(line) ? undefined : command.words;
}

/** In JSON, a text in quotes never holds `"path":"` itself, because its own quotes are escaped. */
function pathPatterns(path: string, isWideSafe: boolean): CallPatterns {
  if (!PLAIN_PATH.test(path)) return {};
  const folder = posix.dirname(path);
  const isWide = isWideSafe && folder !== '.';
  return {
    exact: checked(`"path":"${RE2JS.quote(path)}"`),
    group: isWide ? checked(`"path":"${RE2JS.quote(`${folder}/`)}${FILE_BELOW}"`) : undefined,
  };
}

/** Returns true when no argument of the tool holds others, where a second `path` could stand. Its parameters are a JSON Schema of an object. */
function isFlat({ parameters }: AgentTool): boolean {
  const { properties = {} } = parameters as { properties?: Record<string, { type?: unknown }> };
  return Object.values(properties).every(({ type }) => ['string', 'integer', 'number', 'boolean'].includes(String(type)));
}

const checked = (pattern: string): string | undefined =>
  pattern.length > MAX_PATTERN_UNITS || findInvisible(pattern) !== undefined || /\s{2}|\n/.test(pattern) ? undefined : pattern;
