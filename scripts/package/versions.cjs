/**
 * The version of the gateway that a folder uses: that of the installed package, or one that `neta update` has put into its directory `versions`.
 * versions/current.json is written by src/cli/update/versions.ts too, which also reads versions/running.json. Node 16 can read this file.
 */
const { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const PACKAGE = join(__dirname, '..');
const { version: installed } = require('../package.json');

/** The folder of the gateway. */
const HOME = realpathSync(process.env.NETA_HOME || '.');

const fileOf = home => join(home, 'versions/current.json');

/** Returns what the last update chose; undefined without one, and when a person has installed another package since. */
function readCurrent(home) {
  try {
    const current = JSON.parse(readFileSync(fileOf(home), 'utf8'));
    return current.installed === installed ? current : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the directory of the package that the gateway of this folder runs. */
function currentRoot(home) {
  const current = readCurrent(home);
  if (!current || current.version === installed) return PACKAGE;
  const root = join(home, 'versions', current.version);
  return existsSync(root) ? root : PACKAGE;
}

/** Returns true when the version of the last update has not proven itself, so that there is a version to go back to. */
function isUnproven(home) {
  const current = readCurrent(home);
  return current !== undefined && !current.isProven && Boolean(current.previous);
}

/** Keeps the version of the last update. */
function prove(home) {
  replaceFile(fileOf(home), Object.assign(readCurrent(home), { isProven: true }));
}

/** Chooses the version before. Returns its number. */
function fallBack(home) {
  const { previous: version } = readCurrent(home);
  replaceFile(fileOf(home), { version, previous: null, installed, isProven: true });
  return version;
}

const runningFile = home => join(home, 'versions/running.json');

/** Says which process supervises the gateway of the folder, and where it answers, for `neta update`. */
function writeRunning(home, running) {
  mkdirSync(join(home, 'versions'), { recursive: true });
  replaceFile(runningFile(home), running);
}

/** Keeps the file of a supervisor that has started meanwhile. */
function removeRunning(home) {
  try {
    if (JSON.parse(readFileSync(runningFile(home), 'utf8')).supervisor === process.pid) rmSync(runningFile(home));
  } catch {
    // There is none.
  }
}

function replaceFile(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

module.exports = { HOME, currentRoot, fallBack, isUnproven, prove, removeRunning, writeRunning };
