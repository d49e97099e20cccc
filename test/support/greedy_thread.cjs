/** A worker thread that allocates memory up to a safe limit. */
const { parentPort } = require('node:worker_threads');

const MAX_MIB = 128;
const held = [];
for (let mebibytes = 0; mebibytes < MAX_MIB; mebibytes += 1) held.push(Array.from({ length: 128 * 1024 }, (_, at) => at + mebibytes));
parentPort.postMessage(held.length);
