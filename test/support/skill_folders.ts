/** Writes skill folders for tests. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The text of a valid SKILL.md. */
export const skillText = (name: string, description = `Does ${name}.`, instructions = `Steps of ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${instructions}\n`;

/** Writes files below `directory`: path -> content. */
export async function writeSkillFiles(directory: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    // As an editor does, so that a reader never sees half a file.
    await writeFile(`${target}.part`, content);
    await rename(`${target}.part`, target);
  }
}
