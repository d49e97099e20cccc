import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import { diffArrays } from 'diff';
import { createRandom } from './random.mjs';

const CACHE = join(tmpdir(), 'neta-bench-patch');
const KINDS = new Set([
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.tsx',
  '.jsx',
  '.css',
  '.scss',
  '.sass',
  '.less',
  '.md',
  '.json',
  '.yml',
  '.yaml',
  '.html',
  '.hbs',
]);
const MAX_FILE = 400_000;
const MAX_CHANGED_LINES = 25;

/**
 * Loads real edits: each changed hunk between two published versions on its own, with two to five lines of context.
 * Each edit: { file, content, expected, old, next, start, end, context } where old is content.slice(start, end).
 */
export function loadEdits(packages, { perPackage, seed }) {
  const edits = [];
  for (const [name, earlier, later] of packages) {
    const random = createRandom(seed ^ name.length ^ (name.charCodeAt(0) << 8));
    const found = editsOfPackage(fetchPackage(name, earlier), fetchPackage(name, later), random);
    for (let i = 0; i < perPackage && found.length > 0; i++) {
      const [edit] = found.splice(random.below(found.length), 1);
      edits.push({ ...edit, file: `${name}/${edit.file}` });
    }
  }
  return edits;
}

/** Returns the folder of a package. Runs at the same time may fetch it twice; the first to finish keeps its folder. */
function fetchPackage(name, version) {
  const content = join(CACHE, `${name.replaceAll('/', '+')}-${version}`, 'content');
  if (existsSync(content)) return content;
  mkdirSync(dirname(content), { recursive: true });
  const folder = mkdtempSync(join(dirname(content), 'fetch-'));
  const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  const part = join(folder, 'content');
  mkdirSync(part);
  execFileSync('tar', ['-xzf', packed, '-C', part, '--strip-components=1'], { cwd: folder });
  try {
    renameSync(part, content);
  } catch (thrown) {
    if (!existsSync(content)) throw thrown;
  }
  rmSync(folder, { recursive: true });
  return content;
}

function editsOfPackage(before, after, random) {
  const edits = [];
  for (const path of listFiles(before)) {
    const file = relative(before, path);
    const other = join(after, file);
    if (!existsSync(other)) continue;
    const content = readFileSync(path, 'utf8');
    const changed = readFileSync(other, 'utf8');
    if (content === changed || content.length > MAX_FILE || isMachineMade(content) || content.includes('\ufffd')) continue;
    edits.push(...editsOfFile(file, content, changed, random));
  }
  return edits;
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap(entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(path);
      return KINDS.has(extname(entry.name)) && statSync(path).size <= MAX_FILE ? [path] : [];
    })
    .sort();
}

function isMachineMade(content) {
  return content.length / (content.split('\n').length + 1) > 200;
}

function editsOfFile(file, content, changed, random) {
  const lines = splitLines(content);
  const parts = diffArrays(lines, splitLines(changed), { maxEditLength: 3000 });
  if (!parts) return [];
  const edits = [];
  let at = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (!part.added && !part.removed) {
      at += part.value.length;
      continue;
    }
    const removed = part.removed ? part.value : [];
    const pair = part.removed ? parts[i + 1] : undefined;
    const added = part.added ? part.value : pair?.added ? pair.value : [];
    if (pair?.added) i++;
    if (removed.length + added.length <= MAX_CHANGED_LINES) edits.push(toEdit({ file, content, lines, at, removed, added }, random));
    at += removed.length;
  }
  return edits.filter(Boolean).slice(0, 12);
}

function toEdit({ file, content, lines, at, removed, added }, random) {
  let above = 2 + random.below(4);
  let below = 2 + random.below(4);
  for (let round = 0; round < 6; round++, above += 2, below += 2) {
    const first = Math.max(0, at - above);
    const last = Math.min(lines.length, at + removed.length + below);
    const head = lines.slice(first, at).join('');
    const tail = lines.slice(at + removed.length, last).join('');
    const old = head + removed.join('') + tail;
    const next = head + added.join('') + tail;
    if (old.trim() === '' || next === old || old.includes('\r') !== next.includes('\r')) return undefined;
    const start = lines.slice(0, first).join('').length;
    if (content.indexOf(old) !== start || content.indexOf(old, start + 1) !== -1) continue;
    const end = start + old.length;
    return {
      file,
      content,
      expected: content.slice(0, start) + next + content.slice(end),
      old,
      next,
      start,
      end,
      above: at - first,
      below: last - at - removed.length,
    };
  }
  return undefined;
}

function splitLines(text) {
  return text.split(/(?<=\n)/);
}
