/** Writes manifests of tools, their entries and their settings for tests. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes files below the configuration directory: path -> content. Entries of the runtime native become executable. */
export async function writeConfigFiles(directory: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    // As an editor does, so that a reader never sees half a file. The part has no name that is read.
    await writeFile(`${target}.part`, content);
    if (content.startsWith('#!')) await chmod(`${target}.part`, 0o755);
    await rename(`${target}.part`, target);
  }
}

/** A manifest with one command that takes a text. */
export const manifestText = (name: string, entry: string, more = ''): string =>
  `name: ${name}
display_name: Tool ${name}
description: Does ${name}.
entry: ${entry}
${more}
commands:
  - name: run
    description: Runs ${name}.
    parameters:
      type: object
      properties:
        text: { type: string }
        word: { type: string, default: Hello }
    required: [text]
`;

const hasPython = (): boolean => {
  try {
    execFileSync('python3', ['-c', 'pass'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Defines a test that needs Python. */
export function itWithPython(name: string, test: () => Promise<void>): void {
  if (hasPython()) it(name, test);
  else it.skip(`${name} (skipped here: python3 is not installed)`, test);
}
