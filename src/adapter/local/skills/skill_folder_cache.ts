/**
 * Remembers the contents of skill folders. The times of a folder's directories and files tell whether its contents are still the same, so that a list
 * of unchanged skills opens no file.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillFolder, SkillPlace } from '../../../port/skill_files';
import { mapLimited } from '../../../utils/map_limited';
import { readSkillFolder } from './skill_folder';

/** Some file systems keep whole seconds, so a second change within this time may leave the times as they are. */
const SETTLED_MS = 2_000;
const PARALLEL_STATS = 4;

interface Remembered {
  folder: SkillFolder;
  /** Real paths whose times are compared: the folder, every directory below it, and its files. */
  paths: readonly string[];
  times: string;
}

export class SkillFolderCache {
  private readonly remembered = new Map<string, Remembered>();
  private readings = 0;

  constructor(private readonly now: () => number) {}

  /** Reads a folder, `directory` being its real path. When it is unchanged and `known` holds its version, SKILL.md is not read. */
  async readFolder(place: SkillPlace, directory: string, known: ReadonlySet<string>): Promise<SkillFolder> {
    const key = skillKey(place);
    const old = this.remembered.get(key);
    const isKnown = old?.paths[0] === directory && known.has(old.folder.version);
    if (old && isKnown && (await timesOf(old.paths)).text === old.times) return old.folder;
    this.readings += 1;
    const version = String(this.readings);
    const startedAt = this.now();
    const { directories, ...content } = await readSkillFolder(directory);
    const folder = { ...content, place, version };
    const paths = [...directories, ...new Set([folder.documentPath, ...folder.files])].map((path, i) =>
      i < directories.length ? path : join(directory, path),
    );
    const times = await timesOf(paths);
    const { document: _document, ...withoutDocument } = folder;
    // A folder that cannot be read whole may become readable without a new time.
    if (folder.problems.length === 0 && times.newest < startedAt - SETTLED_MS) {
      this.remembered.set(key, { folder: withoutDocument, paths, times: times.text });
    } else this.remembered.delete(key);
    return folder;
  }

  /** Forgets all other skills. */
  keepOnly(places: readonly SkillPlace[]): void {
    const keys = new Set(places.map(skillKey));
    for (const key of this.remembered.keys()) if (!keys.has(key)) this.remembered.delete(key);
  }
}

const skillKey = (place: SkillPlace): string =>
  place.source === 'config' ? `config/${place.name}` : `agent/${place.tenantId}/${place.name}`;

/** `newest`: the latest change of one of them in milliseconds; a missing one gives Infinity. */
async function timesOf(paths: readonly string[]): Promise<{ text: string; newest: number }> {
  const all = await mapLimited(paths, PARALLEL_STATS, path => stat(path, { bigint: true }).catch(() => undefined));
  const texts = all.map(stats => stats && `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}`);
  const changes = all.map(stats => (stats ? Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs)) : Number.POSITIVE_INFINITY));
  return { text: texts.join('\n'), newest: Math.max(...changes) };
}
