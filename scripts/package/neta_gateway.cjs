#!/usr/bin/env node
/**
 * The program `neta-gateway`: the supervisor of the gateway of this folder. It stays the same process while the gateway below it is replaced. With
 * arguments it is the program `neta`.
 */
const { join } = require('node:path');
const { findNode } = require('./find_node.cjs');
const { runChild } = require('./run_child.cjs');

const args = process.argv.slice(2);
if (args.length > 0) require('./neta.cjs');
// The gateway has a process group of its own: otherwise Ctrl+C would reach it twice, and the second one cuts its drain. It stops when the channel
// closes, so it does not outlive a supervisor that was killed.
else runChild(findNode(), [join(__dirname, 'start.mjs')], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true });
