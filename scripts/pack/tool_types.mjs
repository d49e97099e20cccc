/** The types of the entry neta-gateway/tools: its own declarations and those of TypeBox, which they name. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from '../build_if_needed.mjs';

const TYPEBOX = join(root, 'node_modules/@sinclair/typebox/build/cjs');

/** Yields path in the package and content of each declaration file. */
export function* toolTypes() {
  const out = mkdtempSync(join(tmpdir(), 'neta-types-'));
  try {
    writeDeclarations(out);
    for (const file of reachableFrom(join(out, 'src/tool_kit.d.ts'))) yield [`dist/types/${relative(out, file)}`, readFileSync(file)];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  for (const path of readdirSync(TYPEBOX, { recursive: true }).filter(name => name.endsWith('.d.ts')))
    yield [`dist/node_modules/@sinclair/typebox/${path}`, readFileSync(join(TYPEBOX, path))];
}

/** Lets the compiler write the declarations of everything that the entry loads. The build has checked the types. */
function writeDeclarations(out) {
  const config = join(out, 'tsconfig.json');
  const compilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    incremental: false,
    tsBuildInfoFile: null,
    sourceMap: false,
  };
  const paths = { outDir: out, rootDir: root, typeRoots: [join(root, 'node_modules/@types')] };
  const files = [join(root, 'src/tool_kit.ts')];
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: { ...compilerOptions, ...paths }, include: [], files }),
  );
  // Its exit code tells of declarations that the entry does not reach.
  spawnSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', config]);
}

/** Returns the declaration file and those that it imports, directly or not. */
function reachableFrom(file, found = new Set()) {
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"](\.[^'"]+)['"]/g)) {
    const imported = join(dirname(file), `${name}.d.ts`);
    if (!existsSync(imported)) throw new Error(`${file} imports the types of ${name}, which the compiler did not write.`);
    if (!found.has(imported)) reachableFrom(imported, found);
  }
  return found;
}
