/** Finds the Node that runs the gateway. Node 16 can read this file, so that an old Node says what is missing. */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const NEEDED = 24;
/** Where install_node.cjs puts the Node that npm brings. */
const BROUGHT = join(__dirname, '../node/bin/node');

const isNewEnough = version => Number(version.split('.')[0]) >= NEEDED;

/** Returns the path of a Node that is new enough; ends the process when there is none. */
function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  if (existsSync(BROUGHT)) return BROUGHT;
  console.error(
    `neta-gateway needs Node ${NEEDED} or newer on PATH, and this is ${process.versions.node}: install Node ${NEEDED}, or install neta-gateway again with "npm install --include=optional", which brings it.`,
  );
  return process.exit(1);
}

module.exports = { BROUGHT, findNode, isNewEnough };
