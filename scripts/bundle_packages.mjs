/**
 * Bundles the production packages into dist/node_modules, where the built server finds them before the originals. An installed gateway has these
 * files only: a few megabytes of code instead of hundreds of packages. They also load faster: kysely, TypeBox and yaml in 35 ms instead of 230, and
 * take 11 MiB instead of 30. All packages go through one build, so that modules which several of them share exist once: two copies of Midway's
 * container would not know each other's classes.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './build_if_needed.mjs';
import { packagesOf } from './package_list.mjs';

const OUT = join(root, 'dist/node_modules');

/** Entries of a package that the server and its tools import, when these are not the package itself (''). */
const ENTRIES = {
  '@a2a-js/sdk': ['', '/errors', '/server'],
  '@modelcontextprotocol/sdk': [
    '/client/index.js',
    '/client/sse.js',
    '/client/streamableHttp.js',
    '/server/index.js',
    '/server/streamableHttp.js',
    '/types.js',
  ],
  '@sinclair/typebox': ['', '/compiler', '/errors', '/value'],
  ajv: ['', '/dist/2020'],
  'gpt-tokenizer': ['/encoding/cl100k_base', '/encoding/o200k_base'],
  kysely: ['', '/migration'],
  'read-excel-file': ['/node'],
};

/** Builds in place of a package's own: Google's for browsers does without logins, sockets and protocol buffers, which the gateway does not use. */
const BUILDS = { '@google/genai': '@google/genai/web' };

/** Packages that are bundled from their ES modules, without what the gateway does not use. The others have exactly the exports that `require` returns. */
const ES_MODULES = new Set([
  '@anthropic-ai/sdk',
  '@google/genai',
  '@sinclair/typebox',
  'chardet',
  'diff',
  'htmlparser2',
  'jose',
  'kysely',
  'linkedom',
  'modern-tar',
  'openai',
  'openid-client',
  'turndown',
  'undici',
  'yaml',
]);

/** The program Node, and a package that only Midway imports. */
const NOT_IMPORTED = new Set(['node', 'socket.io']);

const REQUIRED = '\0require:';
/** Requires the package of an entry as the server does, so that a package with two forms gives the one of `require`. */
const requiredEntries = {
  name: 'required-entries',
  resolveId: id => (id.startsWith(REQUIRED) ? id : undefined),
  load(id) {
    if (id.startsWith(REQUIRED))
      return { code: `module.exports = require(${JSON.stringify(id.slice(REQUIRED.length))});`, moduleType: 'js' };
  },
};

const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const input = Object.fromEntries(
  Object.keys(dependencies)
    .filter(name => !NOT_IMPORTED.has(name))
    .flatMap(name =>
      (ENTRIES[name] ?? ['']).map(entry => [
        fileOf(name, entry),
        ES_MODULES.has(name) ? (BUILDS[name] ?? name) + entry : `${REQUIRED}${name}${entry}`,
      ]),
    ),
);
const bundle = await rolldown({ cwd: root, input, platform: 'node', plugins: [requiredEntries], checks: { eval: false }, onLog });
await rm(OUT, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: OUT,
  format: 'cjs',
  exports: 'named',
  chunkFileNames: '.shared/[name]-[hash].js',
  // Descriptions of functions are a tenth of the code. Comments about licences stay.
  comments: { jsdoc: false },
});
await writeFile(
  join(root, 'dist/bundled_packages.json'),
  JSON.stringify(packagesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)), undefined, 1),
);
await describePackages();

/** A dependency that is not installed stops the build: in a package it would be missing. Packages may try optional ones, which stay outside. */
function onLog(level, log, show) {
  if (log.code === 'UNRESOLVED_IMPORT' && log.message.includes(REQUIRED.slice(1))) throw new Error(`${log.message}\nRun "npm ci".`);
  show(level, log);
}

/** Returns the path of a bundled entry without `.js`: where Node looks for it. */
function fileOf(name, entry) {
  return name + (entry === '' ? '/index' : entry.replace(/\.js$/, ''));
}

/** Writes the package.json of the two packages that are not found without: one says its version, and an ES module imports an entry of the other. */
async function describePackages() {
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/@midwayjs/core/package.json'), 'utf8'));
  const files = {
    '@midwayjs/core': { name: '@midwayjs/core', version },
    'read-excel-file': { name: 'read-excel-file', exports: { './node': './node.js' } },
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(OUT, name), { recursive: true });
    await writeFile(join(OUT, name, 'package.json'), JSON.stringify(content));
  }
}
