/** Builds the service worker after the pages, with the list of the files that it keeps (web/src/worker/page_files.ts). */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ENTRY = fileURLToPath(new URL('src/worker/service_worker.ts', import.meta.url));
/** Files of web/public that the chat page uses. */
const NAMED_FILES = [
  'first_paint.js',
  'manifest.webmanifest',
  'manifest.zh-CN.webmanifest',
  'favicon.svg',
  'icon_192.png',
  'diagram.html',
  'artifact.html',
];
const VERSION_PLACE = '__NETA_VERSION__';

export const workerPlugin = {
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  async writeBundle({ dir }, bundle) {
    const page = readFileSync(join(dir, 'index.html'), 'utf8');
    const named = NAMED_FILES.map(file => readFileSync(join(dir, file)));
    const files = listFiles(page, bundle);
    const worker = await buildWorker(files);
    const version = [page, ...named, worker]
      .reduce((hash, text) => hash.update(text), createHash('sha256'))
      .digest('hex')
      .slice(0, 16);
    writeFileSync(join(dir, 'service_worker.js'), worker.replaceAll(VERSION_PLACE, version));
    writeFileSync(join(dir, 'index.html'), page.replace('</title>', `</title>\n    <meta name="version" content="${version}" />`));
  },
};

/** Sorts the built files into those that the chat page loads at once, those that it loads later, and those of other pages. */
function listFiles(page, bundle) {
  const atOnce = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file);
  const ofChat = reachableFrom(bundle, 'index');
  const outputs = Object.values(bundle);
  const ofOthers = new Set(outputs.filter(output => output.type === 'chunk' && !ofChat.has(output)).flatMap(filesOf));
  for (const chunk of ofChat) for (const file of filesOf(chunk)) ofOthers.delete(file);
  const later = outputs
    .map(({ fileName }) => fileName)
    .filter(file => file.startsWith('assets/') && !atOnce.includes(file) && !ofOthers.has(file));
  return { first: [...NAMED_FILES, ...atOnce], later: later.sort() };
}

const filesOf = ({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? []), ...(viteMetadata?.importedAssets ?? [])];

/** Returns the chunk of a page and all chunks that it imports, also those that it imports on demand. */
function reachableFrom(bundle, pageName) {
  const reached = new Set();
  const waiting = Object.values(bundle).filter(({ isEntry, name }) => isEntry && name === pageName);
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    if (reached.has(chunk)) continue;
    reached.add(chunk);
    waiting.push(...[...chunk.imports, ...chunk.dynamicImports].flatMap(file => bundle[file] ?? []));
  }
  return reached;
}

/** Resolves with the code of the worker: one classic script. */
async function buildWorker(files) {
  const { output } = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { BUILD: JSON.stringify({ version: VERSION_PLACE, ...files }) },
    build: { write: false, target: 'es2022', rolldownOptions: { input: ENTRY, output: { format: 'iife' } } },
  });
  return output[0].code;
}
