/** Lists one directory. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDirectory, shownPath } from './places.mjs';

const MAX_ENTRIES = 1_000;

/** Resolves with the answer. Rejects with Refusal. */
export async function listDirectory({ directoryPath, showHidden = false }, { places, locale }) {
  const { handle, real, contentPath } = await openDirectory(places, directoryPath, 'directoryPath');
  try {
    const found = await readdir(contentPath, { withFileTypes: true });
    const visible = found.filter(({ name }) => showHidden || !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
    const entries = await Promise.all(visible.slice(0, MAX_ENTRIES).map(entry => describe(contentPath, entry)));
    const result = { path: shownPath(places, real), entries, total: visible.length, truncated: visible.length > MAX_ENTRIES };
    return { result, message: toText(result, locale) };
  } finally {
    await handle.close();
  }
}

async function describe(directory, entry) {
  const type = typeOf(entry);
  const stat = await lstat(join(directory, entry.name)).catch(() => undefined);
  return {
    name: entry.name,
    type,
    ...(type === 'file' && stat && { size: stat.size }),
    ...(stat && { modifiedAt: stat.mtime.toISOString() }),
  };
}

function typeOf(entry) {
  if (entry.isDirectory()) return 'directory';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

function toText({ path, entries, total, truncated }, locale) {
  const isChinese = locale === 'zh-CN';
  if (total === 0) return isChinese ? `${path} 是空目录。` : `${path} is empty.`;
  const head = isChinese ? `${path}：共 ${total} 个条目` : `${path}: ${total} entries`;
  const cut = isChinese ? `，只显示前 ${MAX_ENTRIES} 个` : `, the first ${MAX_ENTRIES} shown`;
  // JSON quotes a name, so that it cannot forge a line of the list.
  const lines = entries.map(({ name, type, size }) => `${type} ${JSON.stringify(name)}${size === undefined ? '' : ` ${size}`}`);
  return [head + (truncated ? cut : ''), ...lines].join('\n');
}
