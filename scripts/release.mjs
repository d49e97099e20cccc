/**
 * `npm run release -- <version> [--dry-run] [--verify <command>]`: sets the version everywhere, makes the section of the CHANGELOG, packs, and writes
 * bill of materials, provenance, notes and checksums beside the packages in dist-pack/. Then it commits and tags here; it pushes nothing.
 * Refuses a tree with changes, a CHANGELOG without news, and a command of `--verify` that fails: all checks and tests when left out.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build_if_needed.mjs';
import { releaseNotes, withRelease } from './release/changelog.mjs';
import { materialsOf, provenanceOf, sumsOf } from './release/release_files.mjs';
import { isNewer, versionChanges } from './release/version_changes.mjs';

const OUT = join(root, 'dist-pack');
const VERIFY = 'npm run check && npm run test:all';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, verify: { type: 'string', default: VERIFY } },
});
try {
  release(positionals[0] ?? '', values.verify, values['dry-run'] === true);
} catch (thrown) {
  console.error(`No release: ${thrown.message}`);
  process.exitCode = 1;
}

function release(version, verify, isDryRun) {
  const { version: current } = JSON.parse(read('package.json'));
  if (!isNewer(version, current)) throw new Error(`expected a version after ${current}, such as 1.2.3, got "${version}".`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`there is a tag v${version} already.`);
  refuseChanges();
  const changes = versionChanges(current, version);
  changes.set('CHANGELOG.md', withRelease(read('CHANGELOG.md'), version, new Date()));
  const notes = releaseNotes(changes.get('CHANGELOG.md'), version);
  if (isDryRun) {
    console.log(`Would run: ${verify}\nWould change:\n${[...changes.keys()].map(path => `  ${path}\n`).join('')}\n${notes}`);
    return;
  }
  const startedOn = new Date();
  if (spawnSync(verify, { cwd: root, shell: true, stdio: 'inherit' }).status !== 0) throw new Error(`"${verify}" failed.`);
  refuseChanges();
  const before = git('rev-parse', 'HEAD');
  try {
    packWith(changes);
    git('commit', '--quiet', '--message', `chore(release): ${version}`, ...changes.keys());
    describe(version, notes, startedOn);
  } catch (error) {
    // The tree had no changes, so only those of the release go.
    git('reset', '--quiet', '--hard', before);
    throw error;
  }
  git('tag', '--annotate', `v${version}`, '--message', `neta-gateway ${version}`);
  console.log(`Released ${version} here: a commit, the tag v${version}, and the files in dist-pack/.`);
  console.log(`Left to you: git push --follow-tags, and publish the files of dist-pack/ with RELEASE_NOTES.md.`);
}

/** Writes the changes and packs. */
function packWith(changes) {
  for (const [path, text] of changes) writeFileSync(join(root, path), text);
  rmSync(OUT, { recursive: true, force: true });
  execFileSync('npm', ['run', '--silent', 'pack'], { cwd: root, stdio: 'inherit' });
}

/** Writes what describes the packages, and the checksums of all of it. */
function describe(version, notes, startedOn) {
  const packages = readdirSync(OUT).filter(name => name.endsWith('.tgz'));
  writeFileSync(join(OUT, `neta-gateway-${version}.cdx.json`), materialsOf(version));
  const facts = { version, commit: git('rev-parse', 'HEAD'), startedOn };
  writeFileSync(join(OUT, `neta-gateway-${version}.intoto.json`), provenanceOf(OUT, packages, facts));
  writeFileSync(join(OUT, 'RELEASE_NOTES.md'), notes);
  writeFileSync(join(OUT, 'SHA256SUMS'), sumsOf(OUT, readdirSync(OUT).sort()));
}

function refuseChanges() {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`the tree has changes, commit or remove them first:\n${changed}`);
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** Runs git. Returns what it prints. */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
}
