/** Where the version stands, and how a release changes it there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build_if_needed.mjs';

const PACKAGES = ['package.json', 'clients/typescript/package.json'];
const LOCK = 'package-lock.json';
const CHART = 'deploy/helm/neta-gateway/Chart.yaml';
/** Files that name a package or the image with its version. */
const NAMING = ['README*.md', 'Dockerfile', 'clients/typescript/README.md', 'docs/guides/*.md', 'deploy/**'];

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.]+))?$/;

/** Compares two versions; a version that is none is not newer. A pre-release comes before its release, pre-releases are compared as text. */
export function isNewer(version, current) {
  const [parts, others] = [VERSION.exec(version)?.slice(1), VERSION.exec(current)?.slice(1)];
  if (!parts || !others) return false;
  const difference = [0, 1, 2].map(i => Number(parts[i]) - Number(others[i])).find(number => number !== 0);
  if (difference !== undefined) return difference > 0;
  return others[3] !== undefined && (parts[3] === undefined || parts[3] > others[3]);
}

/** Returns the new texts of the files that change: path -> text. */
export function versionChanges(current, version) {
  const changes = new Map(PACKAGES.map(path => [path, read(path).replace(`"version": "${current}"`, `"version": "${version}"`)]));
  const lock = JSON.parse(read(LOCK));
  lock.version = version;
  lock.packages[''].version = version;
  changes.set(LOCK, `${JSON.stringify(lock, undefined, 2)}\n`);
  if (existsSync(join(root, CHART)))
    changes.set(
      CHART,
      read(CHART).replaceAll(/^(version|appVersion):.*$/gm, (_line, key) => versionLine(key, version)),
    );
  const named = new RegExp(`(neta-(?:gateway|client)[-:])${current.replaceAll('.', '\\.')}(?![\\w.-]*\\d)`, 'g');
  for (const path of execFileSync('git', ['ls-files', ...NAMING], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')) {
    const text = changes.get(path) ?? read(path);
    const changed = text.replaceAll(named, `$1${version}`);
    if (changed !== text) changes.set(path, changed);
  }
  return changes;
}

/** The chart's own version stands without quotation marks, the version of the program with them. */
const versionLine = (key, version) => (key === 'version' ? `version: ${version}` : `appVersion: "${version}"`);

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}
