#!/usr/bin/env node
/** The program `neta`, the command line of the version that the gateway of this folder runs. `neta start` is the supervisor of a folder. */
const { existsSync, realpathSync } = require('node:fs');
const { join } = require('node:path');
const { findNode } = require('./find_node.cjs');
const { runChild } = require('./run_child.cjs');
const { supervise } = require('./supervisor.cjs');
const { HOME, currentRoot } = require('./versions.cjs');

const args = process.argv.slice(2);
const [command, directory = HOME] = args;
const node = findNode();

/** `neta doctor <folder>` is a command of the version that this folder runs. */
function homeOf([name, ...rest]) {
  const folder = name === 'doctor' && rest.find(text => existsSync(join(text, '.env')));
  return folder ? realpathSync(folder) : HOME;
}

// The command line tells what is wrong with other arguments.
const isFolder = args.length === 1 || (args.length === 2 && existsSync(join(directory, '.env')));
if (command === 'start' && isFolder) supervise(realpathSync(directory));
else if (node !== process.execPath) runChild(node, [__filename].concat(args), { stdio: 'inherit' });
else
  require(join(currentRoot(homeOf(args)), 'dist/src/cli/neta.js'))
    .main(args, process.env)
    .then(code => {
      process.exitCode = code;
    });
