/**
 * Runs when npm has installed the package. With --include=optional it brings Node: the program alone, because the package of Node has 67 MB of
 * headers too. Without that option it does nothing.
 */
const { spawnSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, renameSync, rmSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { node: version } = require('../package.json').neta;
const { BROUGHT } = require('./find_node.cjs');

const FILES = { 'bin/node': BROUGHT, LICENSE: join(dirname(dirname(BROUGHT)), 'LICENSE') };

function installNode() {
  const place = mkdtempSync(join(__dirname, '../node-'));
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--global=false', '--prefix', place, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const npm = [process.env.npm_execpath, 'install', `${name}@${version}`].concat(options);
    const { status } = spawnSync(process.execPath, npm, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`npm could not install ${name}@${version}`);
    mkdirSync(dirname(BROUGHT), { recursive: true });
    for (const file of Object.keys(FILES)) renameSync(join(place, 'node_modules', name, file), FILES[file]);
  } catch (error) {
    console.error(`neta-gateway was installed without Node: ${error.message}. It needs Node 24 on PATH.`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

if ((process.env.npm_config_include || '').split(/\s+/).includes('optional')) installNode();
