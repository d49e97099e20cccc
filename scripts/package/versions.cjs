/**
 * The version of the gateway that a folder uses: that of the installed package, or one that `neta update` has put into its directory `versions`.
 * versions/current.json is written by src/cli/update/versions.ts. Node 16 can read this file.
 */
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const PACKAGE = join(__dirname, '..');
const { version: installed } = require('../package.json');

/** The folder of the gateway. */
const HOME = resolve(process.env.NETA_HOME || '.');

const fileOf = home => join(home, 'versions/current.json');

/** Returns what the last update chose; undefined without one, and when a person has installed another package since. */
function readCurrent(home) {
  try {
    const current = JSON.parse(readFileSync(fileOf(home), 'utf8'));
    return current.installed === installed ? current : undefined;
  } catch (error) {
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

/** Says which processes run the gateway of the folder, for `neta update`; with nothing: none does. */
function writeRunning(home, running) {
  const file = join(home, 'versions/running.json');
  if (!running) return rmSync(file, { force: true });
  mkdirSync(join(home, 'versions'), { recursive: true });
  return replaceFile(file, running);
}

/** Chooses the version before, when that of the last update has not proven itself yet. Returns its number, or undefined. */
function fallBack(home) {
  const current = readCurrent(home);
  if (!current || current.isProven || !current.previous) return undefined;
  const back = { version: current.previous, previous: null, installed, isProven: true, failed: current.version };
  replaceFile(fileOf(home), back);
  return back.version;
}

function replaceFile(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

module.exports = { HOME, currentRoot, fallBack, writeRunning };
