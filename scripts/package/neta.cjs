#!/usr/bin/env node
/** The program `neta`, the command line of the version that the gateway of this folder runs. */
const { join } = require('node:path');
const { findNode } = require('./find_node.cjs');
const { runChild } = require('./run_child.cjs');
const { HOME, currentRoot } = require('./versions.cjs');

const args = process.argv.slice(2);
const node = findNode();
if (node !== process.execPath) runChild(node, [__filename].concat(args), { stdio: 'inherit' });
else
  require(join(currentRoot(HOME), 'dist/src/cli/neta.js'))
    .main(args, process.env)
    .then(code => {
      process.exitCode = code;
    });
