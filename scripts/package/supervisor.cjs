/**
 * Runs the gateway of a folder as a child, and stays while another version takes its place: SIGUSR2 stops the child and starts the current version.
 * A version that an update has just chosen proves itself by living for a minute; when it ends before, the version before it starts again.
 */
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { findNode } = require('./find_node.cjs');
const { SIGNALS } = require('./run_child.cjs');
const { currentRoot, fallBack, isUnproven, prove, removeRunning, writeRunning } = require('./versions.cjs');

const PROOF_MS = 60000;

/** Passes signals on, and the exit code or signal of the gateway back. */
function supervise(home) {
  const node = findNode();
  let child;
  let proof;
  let isSwitching = false;
  let isStopping = false;

  function start() {
    isSwitching = false;
    const root = currentRoot(home);
    // The gateway has a process group of its own: otherwise Ctrl+C would reach it twice, and the second one cuts its drain. It stops when the
    // channel closes, so it does not outlive a supervisor that was killed.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
    child = spawn(node, [join(root, 'bin/start.mjs')], { cwd: home, stdio, detached: true });
    child.on('error', error => {
      console.error(`neta-gateway cannot start ${node}: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', onExit);
    const running = { supervisor: process.pid, started: startOf('self'), version: require(join(root, 'package.json')).version };
    writeRunning(home, running);
    child.on('message', ({ url }) => writeRunning(home, Object.assign(running, { url })));
    if (isUnproven(home)) proof = setTimeout(() => prove(home), PROOF_MS);
  }

  function onExit(code, signal) {
    clearTimeout(proof);
    if (!isStopping) {
      if (isSwitching) return start();
      if (isUnproven(home)) {
        console.error(`neta-gateway ended soon after its update, so version ${fallBack(home)} starts again.`);
        return start();
      }
    }
    removeRunning(home);
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
    // A second SIGTERM would cut the drain.
    if (isSwitching || isStopping) return;
    isSwitching = true;
    child.kill('SIGTERM');
  });
  start();
}

/** Returns the time at which the process started, in ticks since the machine did: field 22 of proc(5). A number is used again, the pair is not. */
const startOf = pid => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ')[19];

module.exports = { supervise };
