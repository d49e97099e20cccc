#!/usr/bin/env node
/** The program `neta`, the command line of an installed gateway. */
const { join } = require('node:path');
const { findNode } = require('./find_node.cjs');
const { runChild } = require('./run_child.cjs');

const args = process.argv.slice(2);
const node = findNode();
if (node !== process.execPath) runChild(node, [__filename].concat(args), { stdio: 'inherit' });
else
  require(join(__dirname, '../dist/src/cli/neta.js'))
    .main(args, process.env)
    .then(code => {
      process.exitCode = code;
    });
