/**
 * Loaded before a program (`--require`): counts its steps, and kills the process with SIGKILL before the step whose number is in KILL_BEFORE_STEP. A
 * step changes something that lasts: a statement without values in SQLite (begin, commit, pragma), a message to a server, a change of the file system.
 * When the program ends by itself, the file STEPS_FILE gets the number of its steps.
 */
const fs = require('node:fs');
const { Socket } = require('node:net');
const { DatabaseSync } = require('node:sqlite');

const { writeFileSync } = fs;
const killBefore = Number(process.env['KILL_BEFORE_STEP']);
let steps = 0;

function countStep() {
  steps += 1;
  if (steps === killBefore) process.kill(process.pid, 'SIGKILL');
}

function countCalls(owner, name) {
  const original = owner[name];
  owner[name] = function (...values) {
    // What a person reads is no step.
    if (this !== process.stdout && this !== process.stderr) countStep();
    return original.apply(this, values);
  };
}

countCalls(DatabaseSync.prototype, 'exec');
countCalls(DatabaseSync.prototype, 'close');
countCalls(Socket.prototype, 'write');
for (const name of ['chmod', 'mkdir', 'rename', 'rm', 'symlink', 'utimes', 'writeFile']) countCalls(fs.promises, name);
for (const name of ['renameSync', 'rmSync']) countCalls(fs, name);

process.on('exit', () => {
  if (process.env['STEPS_FILE']) writeFileSync(process.env['STEPS_FILE'], String(steps));
});
