/**
 * The thread of delay_proxy.ts: a TCP proxy on a free port of this machine. Each piece of data waits for `delayMs` in each direction; a piece never
 * waits for a piece of another connection.
 */
const { connect, createServer } = require('node:net');
const { parentPort, Worker, workerData } = require('node:worker_threads');

/** Timers of Node are up to a millisecond late, so a thread of its own sleeps until the next piece is due. `due`: nanoseconds; 0n: nothing waits. */
const ALARM = `
const { parentPort, workerData: due } = require('node:worker_threads');
for (;;) {
  const at = Atomics.load(due, 0);
  const left = Number(at - process.hrtime.bigint()) / 1e6;
  if (at === 0n || left > 0) Atomics.wait(due, 0, at, at === 0n ? Infinity : left);
  else if (Atomics.compareExchange(due, 0, at, 0n) === at) parentPort.postMessage(null);
}`;
const due = new BigInt64Array(new SharedArrayBuffer(8));
new Worker(ALARM, { eval: true, workerData: due }).on('message', passOn);

/** Pieces that wait, oldest first. */
const waiting = [];
const connections = new Set();
let delay = toNanoseconds(workerData.delayMs);
/** `open`; `silent`: data waits, as when a cable is pulled; `cut`: connections break and new ones are refused. */
let state = 'open';
/** How often clients waited for an answer, by the kind of connection. */
const roundTrips = { work: 0, messages: 0 };

function toNanoseconds(ms) {
  return BigInt(Math.round(ms * 1e6));
}

function later(pass) {
  if (delay === 0n && waiting.length === 0 && state === 'open') return pass();
  const piece = { at: process.hrtime.bigint() + delay, pass };
  if (waiting.push(piece) === 1) ring(piece.at);
}

function ring(at) {
  Atomics.store(due, 0, at);
  Atomics.notify(due, 0);
}

function passOn() {
  if (state === 'silent') return;
  const now = process.hrtime.bigint();
  let passed = 0;
  for (; passed < waiting.length && waiting[passed].at <= now; passed += 1) waiting[passed].pass();
  waiting.splice(0, passed);
  if (waiting.length > 0) ring(waiting[0].at);
}

const server = createServer({ allowHalfOpen: true }, client => {
  if (state === 'cut') return client.destroy();
  const target = connect({ host: '127.0.0.1', port: workerData.targetPort, allowHalfOpen: true });
  const connection = { client, target, kind: 'work', isAnswered: true };
  connections.add(connection);
  join(client, target, data => countRoundTrip(connection, data));
  join(target, client, () => {
    connection.isAnswered = true;
  });
  for (const [socket, other] of [
    [client, target],
    [target, client],
  ]) {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      connections.delete(connection);
      // Without a wait a connection that broke while the network is silent would be told at once.
      later(() => other.destroy());
    });
  }
});

function join(from, to, onData) {
  from.on('data', data => {
    onData(data);
    later(() => to.writable && to.write(data));
  });
  from.on('end', () => later(() => to.end()));
}

/** Connections that listen or notify count apart: they carry no statement of a run. */
function countRoundTrip(connection, data) {
  if (data.includes('pg_notify') || data.includes('listen ')) connection.kind = 'messages';
  if (!connection.isAnswered) return;
  connection.isAnswered = false;
  roundTrips[connection.kind] += 1;
}

const COMMANDS = {
  setDelay({ delayMs }) {
    delay = toNanoseconds(delayMs);
  },
  setState(command) {
    state = command.state;
    if (state === 'cut') for (const { client, target } of connections) for (const socket of [client, target]) socket.resetAndDestroy();
    passOn();
  },
  readRoundTrips: () => roundTrips,
};

parentPort.on('message', ({ id, name, ...command }) => parentPort.postMessage({ id, result: COMMANDS[name](command) }));
server.listen(0, '127.0.0.1', () => parentPort.postMessage({ id: 0, result: server.address().port }));
