/** Runs a program of the package as a child, and ends as it ends. */
const { spawn } = require('node:child_process');

/** A closed terminal stops the gateway as SIGTERM does: with a drain. */
const SIGNALS = { SIGTERM: 'SIGTERM', SIGINT: 'SIGINT', SIGHUP: 'SIGTERM' };

/** Passes signals on, and the exit code or signal of the child back. `options`: those of spawn. */
function runChild(program, args, options) {
  const child = spawn(program, args, options);
  for (const signal of Object.keys(SIGNALS)) process.on(signal, () => child.kill(SIGNALS[signal]));
  child.on('error', error => {
    console.error(`neta-gateway cannot start ${program}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

module.exports = { SIGNALS, runChild };
