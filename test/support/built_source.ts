/** Changes sources or adds them in a copy of the build. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from '@swc/core';
import type { BuildCopy } from '../fault/build_copy';

/** Reads a source; `path` is relative to src. */
export const readSource = (path: string): Promise<string> => readFile(join(__dirname, '../../src', path), 'utf8');

/** Replaces a text that must occur in the source. */
export function edited(source: string, piece: string, replacement: string): string {
  const result = source.replace(piece, () => replacement);
  if (result === source) throw new Error(`nothing to replace: ${piece}`);
  return result;
}

/** Compiles a source into the copy; `path` is relative to src. */
export async function compileInto(copy: BuildCopy, path: string, code: string): Promise<void> {
  const { code: compiled } = await transform(code, {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
    module: { type: 'commonjs' },
  });
  await writeFile(join(copy.root, 'dist/src', path.replace(/\.ts$/, '.js')), compiled);
}

/** Adds a tool to the copy: a file in tools/builtin, and its export in the list of the core's tools, behind clarify. */
export async function addTool(
  copy: BuildCopy,
  tool: { file: string; code: string; importLine: string; exportName: string },
): Promise<void> {
  const { file, code, importLine, exportName } = tool;
  await compileInto(copy, `tools/builtin/${file}`, code);
  const list = edited(await readSource('tools/core_tools.ts'), 'import { bashTool }', `${importLine}\nimport { bashTool }`);
  await compileInto(copy, 'tools/core_tools.ts', edited(list, '  clarifyTool,\n', `  clarifyTool,\n  ${exportName},\n`));
}
