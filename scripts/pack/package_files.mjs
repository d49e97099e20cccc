/** The files of the package neta-gateway: path in the package -> content. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../build_if_needed.mjs';
import { licenceTexts } from './licences.mjs';
import { toolTypes } from './tool_types.mjs';

// The source, because a file of the build may be older.
const { CONFIG_FILES } = createRequire(import.meta.url)('../../src/cli/config_files.ts');
const PAGES = ['README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'LICENSE'];
/** Directory in the package -> directory here, and the files that it brings. */
const DIRECTORIES = {
  bin: ['scripts/package', /\.[cm]js$/],
  'dist/clients': ['dist/clients', /\.js$/],
  'dist/config': ['dist/config', /\.js$/],
  'dist/node_modules': ['dist/node_modules', /\.js(?:on)?$/],
  'dist/src': ['dist/src', /\.js$/],
  'dist/web': ['dist/web', /./],
  'tool-helpers': ['tool-helpers', /./],
};

/** Yields path and content of each file. */
export function* packageFiles() {
  for (const name of [...PAGES, 'bootstrap.js']) yield [name, read(name)];
  for (const path of CONFIG_FILES) yield [`config/${path}`, read(join('config', path))];
  for (const [place, [source, pattern]] of Object.entries(DIRECTORIES)) {
    for (const path of filesOf(source)) if (pattern.test(path)) yield [`${place}/${path}`, read(join(source, path))];
  }
  yield* toolTypes();
  yield ['THIRD_PARTY_LICENSES', Buffer.from(licenceTexts())];
  yield ['package.json', Buffer.from(`${JSON.stringify(describePackage(), undefined, 2)}\n`)];
}

/** Returns the package.json: all that it needs is in the package, except Node. */
function describePackage() {
  const { name, version, description, license, exports, dependencies } = JSON.parse(read('package.json'));
  return {
    name,
    version,
    description,
    license,
    engines: { node: '>=24' },
    bin: { 'neta-gateway': 'bin/neta_gateway.cjs', neta: 'bin/neta.cjs' },
    exports: { ...exports, './tools': { types: './dist/types/src/tool_kit.d.ts', default: exports['./tools'].default } },
    scripts: { postinstall: 'node bin/install_node.cjs' },
    // The Node that bin/install_node.cjs brings.
    neta: { node: dependencies.node },
  };
}

const read = path => readFileSync(join(root, path));

const filesOf = directory =>
  readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== '.DS_Store')
    .map(entry => join(entry.parentPath, entry.name).slice(join(root, directory).length + 1));
