/**
 * Runs the gateway of a folder as a child, and stays while another version takes its place: SIGUSR2 stops the child and starts the current version.
 * A version that an update has just chosen and that ends by itself is replaced by the one before.
 */
const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { findNode } = require('./find_node.cjs');
const { SIGNALS } = require('./run_child.cjs');
const { currentRoot, fallBack, writeRunning } = require('./versions.cjs');

/** Passes signals on, and the exit code or signal of the gateway back. */
function supervise(home) {
  const node = findNode();
  let child;
  let isSwitching = false;
  let isStopping = false;

  function start() {
    isSwitching = false;
    // The gateway has a process group of its own: otherwise Ctrl+C would reach it twice, and the second one cuts its drain. It stops when the
    // channel closes, so it does not outlive a supervisor that was killed.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
    const root = currentRoot(home);
    child = spawn(node, [join(root, 'bin/start.mjs')], { cwd: home, stdio, detached: true });
    child.on('error', error => {
      console.error(`neta-gateway cannot start ${node}: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', onExit);
    writeRunning(home, { supervisor: process.pid, gateway: child.pid, version: require(join(root, 'package.json')).version });
  }

  function onExit(code, signal) {
    if (isSwitching) return start();
    const version = isStopping ? undefined : fallBack(home);
    if (version !== undefined) {
      console.error(`neta-gateway ended soon after its update, so version ${version} starts again.`);
      return start();
    }
    writeRunning(home);
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    return process.kill(process.pid, signal);
  }

  Object.keys(SIGNALS).forEach(signal => {
    process.on(signal, () => {
      isStopping = true;
      child.kill(SIGNALS[signal]);
    });
  });
  process.on('SIGUSR2', () => {
    isSwitching = true;
    child.kill('SIGTERM');
  });
  start();
}

module.exports = { supervise };
