/** Finds files by a pattern for their names, in a directory and everything below it. Symlinks are not followed. */
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { openDirectory, shownPath } from './places.mjs';
import { Refusal } from './refusal.mjs';

const MAX_RESULTS = 1_000;
const MAX_ENTRIES = 100_000;
const MAX_PATTERN = 200;
const TIME_MS = 20_000;
/** Large directories that rarely hold the files that a person looks for. */
const SKIPPED = new Set(['.git', 'node_modules']);

/** Resolves with the answer. Rejects with Refusal. */
export async function searchFiles({ searchPath, pattern }, { places, locale }) {
  if (pattern === '' || pattern.length > MAX_PATTERN) {
    throw new Refusal(`pattern: must have 1 to ${MAX_PATTERN} characters.`, `pattern：应有 1 到 ${MAX_PATTERN} 个字符。`);
  }
  const start = await openDirectory(places, searchPath, 'searchPath');
  await start.handle.close();
  const search = { places, root: start.real, pattern, matches: [], seen: 0, deadline: performance.now() + TIME_MS };
  await walk(search, start.real);
  const { matches } = search;
  const truncated = isOver(search);
  const result = { path: shownPath(places, start.real), pattern, files: matches, total: matches.length, truncated };
  return { result, message: toText(result, locale) };
}

const isOver = ({ matches, seen, deadline }) => matches.length >= MAX_RESULTS || seen >= MAX_ENTRIES || performance.now() > deadline;

async function walk(search, directory) {
  const opened = await openDirectory(search.places, directory, 'searchPath').catch(() => undefined);
  // A directory that vanished, or may not be read, does not end the search.
  if (!opened) return;
  const { handle, contentPath } = opened;
  const below = [];
  try {
    const entries = await readdir(contentPath, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isOver(search)) return;
      search.seen += 1;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) below.push(join(directory, entry.name));
      if (entry.isFile()) await addMatch(search, { directory, contentPath, name: entry.name });
    }
  } finally {
    await handle.close();
  }
  for (const path of below) await walk(search, path);
}

async function addMatch({ places, root, pattern, matches }, { directory, contentPath, name }) {
  const path = join(directory, name);
  // A pattern with a slash is for the path below the directory, any other for the name.
  if (!matchesPattern(pattern, pattern.includes('/') ? relative(root, path) : name)) return;
  const stat = await lstat(join(contentPath, name)).catch(() => undefined);
  if (stat) matches.push({ path: shownPath(places, path), size: stat.size, modifiedAt: stat.mtime.toISOString() });
}

/** Tokens of a pattern that stand for any text: `*` without a slash, DEEP with slashes, BELOW (as in `**\/x`) directories or nothing. */
const DEEP = '\u0001';
const BELOW = '\u0002';

/**
 * Matches `*`, `**`, `?` and literal characters, without regard to case. Takes at most the product of the two lengths, whatever the pattern is.
 */
function matchesPattern(pattern, path) {
  const tokens = [...pattern.toLowerCase().replaceAll('**/', BELOW).replaceAll('**', DEEP)];
  // reached[i]: the first i tokens match the text so far.
  let reached = new Set();
  enter(tokens, reached, 0);
  for (const character of path.toLowerCase()) {
    const next = new Set();
    for (const i of reached) step(tokens, next, i, character);
    reached = next;
  }
  return reached.has(tokens.length);
}

function step(tokens, next, i, character) {
  switch (tokens[i]) {
    case DEEP:
      return enter(tokens, next, i);
    case BELOW:
      next.add(i);
      return character === '/' && enter(tokens, next, i + 1);
    case '*':
      return character !== '/' && enter(tokens, next, i);
    case '?':
      return character !== '/' && enter(tokens, next, i + 1);
    default:
      return tokens[i] === character && enter(tokens, next, i + 1);
  }
}

/** Adds a state, and the states behind tokens that may match nothing. */
function enter(tokens, states, i) {
  states.add(i);
  if (tokens[i] === '*' || tokens[i] === DEEP || tokens[i] === BELOW) enter(tokens, states, i + 1);
}

function toText({ path, pattern, files, truncated }, locale) {
  const isChinese = locale === 'zh-CN';
  if (files.length === 0) return isChinese ? `${path} 中没有与 ${pattern} 相符的文件。` : `No file in ${path} matches ${pattern}.`;
  const more = isChinese ? '[可能还有更多，请缩小目录或模式。]' : '[There may be more; narrow the directory or the pattern.]';
  return [...files.map(file => `${JSON.stringify(file.path)} ${file.size}`), ...(truncated ? [more] : [])].join('\n');
}
