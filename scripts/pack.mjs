/**
 * `npm run pack [-- directory]`: builds when needed and writes neta-gateway-<version>.tgz, which npm installs without a registry, and the client
 * beside it, into dist-pack/ or the directory. The same build gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { buildIfNeeded, root } from './build_if_needed.mjs';
import { packageFiles } from './pack/package_files.mjs';

const OUT = resolve(process.argv[2] ?? join(root, 'dist-pack'));
/** Milliseconds since 1970; npm writes this time into packages, too. */
const MTIME = Date.UTC(1985, 9, 26, 8, 15);
/** Bytes of a path: the format has no room for more, and nanotar cuts the rest. */
const MAX_PATH = 100;

buildIfNeeded();
mkdirSync(OUT, { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writePackage(join(OUT, `neta-gateway-${version}.tgz`));
packClient();

function writePackage(file) {
  const files = [...packageFiles()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, data]) => toEntry(`package/${path}`, data));
  const tar = createTar(files, { attrs: { mtime: MTIME, uid: 0, gid: 0 } });
  writeFileSync(file, gzipSync(tar, { level: 9 }));
  report(file);
}

function toEntry(name, data) {
  if (Buffer.byteLength(name) > MAX_PATH)
    throw new Error(`${name} is longer than ${MAX_PATH} bytes, so it cannot be packed: give it a shorter path.`);
  return { name, data, attrs: { mode: name.startsWith('package/bin/') ? '755' : '644' } };
}

function packClient() {
  const cwd = join(root, 'clients/typescript');
  rmSync(join(cwd, 'dist'), { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc')], { cwd, stdio: 'inherit' });
  const names = execFileSync('npm', ['pack', '--silent', '--pack-destination', OUT], { cwd, encoding: 'utf8' });
  report(join(OUT, names.trim()));
}

function report(file) {
  console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}
