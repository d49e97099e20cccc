/** The recommended loop in Midway, without a store and a log: the floor for the gateway. Decorators are called as functions. */
import { randomUUID } from 'node:crypto';
import { BootstrapStarter } from '@midwayjs/bootstrap';
import { Configuration, HTTP_SERVER_KEY, Inject, MidwayContainer, OnWSMessage, Provide, WSController } from '@midwayjs/core';
import * as koa from '@midwayjs/koa';
import * as socketio from '@midwayjs/socketio';
import { runTurn } from './agent.mjs';

class ChatServer {
  async onMessage({ text, sessionId = randomUUID() }, ack) {
    const socket = this.ctx;
    const runId = randomUUID();
    ack({ ok: true, sessionId, runId });
    const emit = (type, data) => socket.emit('message', { type, runId, sessionId, data });
    runTurn(sessionId, text, piece => emit('text_delta', { text: piece })).then(
      () => emit('run_end', { status: 'completed' }),
      error => emit('run_end', { status: 'failed', error: String(error) }),
    );
  }
}
Inject()(ChatServer.prototype, 'ctx');
OnWSMessage('message')(ChatServer.prototype, 'onMessage', Object.getOwnPropertyDescriptor(ChatServer.prototype, 'onMessage'));
WSController('/')(ChatServer);
Provide()(ChatServer);

class BenchConfiguration {}
Configuration({
  imports: [koa, socketio],
  importConfigs: [
    {
      default: {
        keys: ['bench'],
        koa: { port: 0, hostname: '127.0.0.1' },
        socketIO: { perMessageDeflate: false, serveClient: false },
        midwayLogger: { default: { transports: { file: false, console: false, error: false, json: false } } },
      },
    },
  ],
})(BenchConfiguration);

const container = new MidwayContainer();
const starter = new BootstrapStarter();
const directory = import.meta.dirname;
starter.configure({
  appDir: directory,
  baseDir: directory,
  applicationContext: container,
  imports: [BenchConfiguration],
  moduleDetector: false,
});
container.bindClass(ChatServer);
await starter.run();
const server = container.get(HTTP_SERVER_KEY);
const announce = () => console.log(`ready on http://127.0.0.1:${server.address().port}`);
if (server.listening) announce();
else server.once('listening', announce);
