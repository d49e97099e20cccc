/** The Midway application: its components, what guards both doors, and its life from ready to stopped. */

import type { Server } from 'node:http';
import { App, Configuration, HTTP_SERVER_KEY, type ILifeCycle, type IMidwayContainer, Inject } from '@midwayjs/core';
import * as koa from '@midwayjs/koa';
import * as socketio from '@midwayjs/socketio';
import * as staticFile from '@midwayjs/static-file';
import defaultConfig from '../config/config.default';
import localConfig from '../config/config.local';
import prodConfig from '../config/config.prod';
import unittestConfig from '../config/config.unittest';
import { toAppError, toWireError } from './errors';
import { HttpErrorFilter } from './filter/http_error_filter';
import { SocketErrorFilter } from './filter/socket_error_filter';
import { readHandshake } from './gateway/handshake';
import { RequestGuard } from './middleware/request_guard';
import type { Ports } from './ports';
import type { AgentExecutor } from './service/agent_executor';

@Configuration({
  imports: [koa, socketio, staticFile],
  importConfigs: [{ default: defaultConfig, local: localConfig, prod: prodConfig, unittest: unittestConfig }],
})
export class GatewayConfiguration implements ILifeCycle {
  @App('koa')
  httpApp!: koa.Application;
  @App('socketIO')
  socketApp!: socketio.Application;
  @Inject()
  agentExecutor!: AgentExecutor;
  @Inject()
  ports!: Ports;

  async onReady(): Promise<void> {
    this.httpApp.getMiddleware().insertFirst(RequestGuard as never);
    this.httpApp.useFilter([HttpErrorFilter]);
    this.socketApp.useFilter([SocketErrorFilter]);
    this.socketApp.use((socket, next) => {
      try {
        socket.data.principal = readHandshake(socket.handshake.auth);
        next();
      } catch (thrown) {
        const error = toAppError(thrown);
        next(Object.assign(new Error(error.message), { data: { error: toWireError(error, socket.id) } }));
      }
    });
    await this.agentExecutor.recover();
  }

  /** Doors are still open here: what runs is ended and stored first, then connections are closed. */
  async onStop(container: IMidwayContainer): Promise<void> {
    await this.agentExecutor.stop();
    this.socketApp.disconnectSockets(true);
    const server: Server = container.get(HTTP_SERVER_KEY);
    server.closeAllConnections();
    await this.ports.store.close();
  }
}
