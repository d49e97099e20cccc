/** A thread that takes more and more memory, and stops of itself before it would harm anybody. */
const { parentPort } = require('node:worker_threads');

const MOST_MIB = 128;
const held = [];
for (let mebibytes = 0; mebibytes < MOST_MIB; mebibytes += 1) held.push(Array.from({ length: 128 * 1024 }, (_, at) => at + mebibytes));
parentPort.postMessage(held.length);
