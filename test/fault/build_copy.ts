/** Copies the build to its own directory: a later build does not change it, and a test may damage it. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface BuildCopy {
  /** The root directory of the copy. */
  readonly root: string;
  /** Replaces a piece of a built file. Rejects when the file does not contain it exactly once. */
  damage(file: string, piece: string, replacement: string): Promise<void>;
  remove(): Promise<void>;
}

const ROOT = join(__dirname, '../..');

/** Two thirds of the files of a build: source maps, and compiled code that Node keeps by its path. A gateway runs without them. */
const isNeeded = (path: string): boolean => !path.endsWith('.map') && basename(path) !== 'compile_cache';

export async function copyBuild(): Promise<BuildCopy> {
  const root = await mkdtemp(join(tmpdir(), 'neta-build-'));
  for (const part of ['dist', 'bootstrap.js', 'package.json'])
    await cp(join(ROOT, part), join(root, part), { recursive: true, filter: isNeeded });
  for (const part of ['node_modules', 'config']) await symlink(join(ROOT, part), join(root, part));
  return {
    root,
    async damage(file, piece, replacement) {
      const path = join(root, file);
      const text = await readFile(path, 'utf8');
      if (text.split(piece).length !== 2) throw new Error(`${file} does not have "${piece}" exactly once`);
      await writeFile(
        path,
        text.replace(piece, () => replacement),
      );
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
