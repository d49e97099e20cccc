/** The Midway application: its components, the guards of both doors, and its life cycle. */

import type { Server } from 'node:http';
import { App, Configuration, HTTP_SERVER_KEY, type ILifeCycle, type IMidwayContainer, Inject, type NextFunction } from '@midwayjs/core';
import * as koa from '@midwayjs/koa';
import * as socketio from '@midwayjs/socketio';
import * as staticFile from '@midwayjs/static-file';
import defaultConfig from '../config/config.default';
import localConfig from '../config/config.local';
import prodConfig from '../config/config.prod';
import unittestConfig from '../config/config.unittest';
import { BaseComponent } from './base_component';
import { startCore, stopCore } from './core_life_cycle';
import type { CoreServices } from './core_services';
import { AppError, toAppError, toWireError } from './errors';
import { componentOf, type InstalledFeatures } from './feature';
import { FEATURES } from './features';
import { HttpErrorFilter } from './filter/http_error_filter';
import { SocketErrorFilter } from './filter/socket_error_filter';
import { identifySocket } from './gateway/identify_socket';
import { listSockets, socketTraffic } from './gateway/socket_list';
import { AnswerEncoding } from './middleware/answer_encoding';
import { type DoorGuard, guardSockets } from './middleware/door_guard';
import { releaseHandshakes, userAgentOf } from './middleware/handshake_memory';
import { guardServer } from './middleware/http_server';
import { ImageBodies } from './middleware/image_bodies';
import { readLoginCookie } from './middleware/login_cookie';
import { MethodGuard } from './middleware/method_guard';
import { Negotiation } from './middleware/negotiation';
import { PrincipalGuard } from './middleware/principal_guard';
import { RateGuard } from './middleware/rate_guard';
import { RequestGuard } from './middleware/request_guard';
import { joinRouters } from './middleware/routers_by_prefix';
import { SessionGuard } from './middleware/session_guard';
import { explainUnknownConnections } from './middleware/unknown_connection';
import type { StopSteps } from './stop';
import { handshakeLocale } from './wire/handshake_locale';

/** Gives the last bytes time to leave the sockets. */
const LAST_BYTES_MS = 200;

@Configuration({
  imports: [koa, socketio, staticFile, { Configuration: BaseComponent }, ...FEATURES.map(componentOf)],
  importConfigs: [{ default: defaultConfig, local: localConfig, prod: prodConfig, unittest: unittestConfig }],
})
export class GatewayConfiguration implements ILifeCycle {
  @App('koa')
  httpApp!: koa.Application;
  @App('socketIO')
  socketApp!: socketio.Application;
  /** The services of the core. */
  @Inject()
  core!: CoreServices;
  @Inject()
  features!: InstalledFeatures;
  @Inject()
  doorGuard!: DoorGuard;
  @Inject()
  stopSteps!: StopSteps;

  async onReady(): Promise<void> {
    this.core.agentDirectory.checkProfiles();
    const middleware = this.httpApp.getMiddleware<NextFunction, unknown>();
    middleware.insertFirst([RequestGuard, MethodGuard, PrincipalGuard, RateGuard, ImageBodies]);
    // Behind the parser of bodies and the files of the pages.
    middleware.insertLast([SessionGuard, Negotiation, AnswerEncoding]);
    this.httpApp.useFilter([HttpErrorFilter]);
    this.socketApp.useFilter([SocketErrorFilter]);
    this.socketApp.use((socket, next) => {
      const refuse = (thrown: unknown) => {
        const error = toAppError(thrown);
        this.core.serviceSettings.onEvent('info', 'a connection was refused', { requestId: socket.id, door: 'socketio', code: error.code });
        const wire = toWireError(error, socket.id, handshakeLocale(socket));
        next(Object.assign(new Error(wire.message), { data: { error: wire } }));
      };
      identifySocket(socket, this.core).then(() => next(), refuse);
    });
    await startCore(this.core);
  }

  async onServerReady(container: IMidwayContainer): Promise<void> {
    const server: Server = container.get(HTTP_SERVER_KEY);
    guardServer(server, request => this.doorGuard.innerUrl(request));
    server.on('connection', connection => this.doorGuard.watch(connection));
    // Socket.IO has its engine from here on. Until now the HTTP guard checked its requests.
    guardSockets(this.socketApp.engine, this.doorGuard);
    explainUnknownConnections(this.socketApp.engine);
    this.core.openSockets.fill({
      list: () => listSockets(this.socketApp),
      traffic: () => socketTraffic(this.socketApp),
      disconnect: id => this.socketApp.sockets.sockets.get(id)?.disconnect(true),
    });
    releaseHandshakes(this.socketApp.engine, request => ({
      address: this.doorGuard.clientAddress(request),
      token: readLoginCookie(request, this.doorGuard.publicAddress(request), { isSocket: true }),
      ...userAgentOf(request),
    }));
    await this.composeMiddleware();
    if (!this.core.settings.isRehearsal) for (const { serve } of this.features.values()) serve?.();
  }

  /**
   * Composes the middleware before the first request. Otherwise the framework does it at the first request, and again for each request that
   * arrives before it is done: each time it reads all files of the pages and adds one more layer to later requests.
   */
  private async composeMiddleware(): Promise<void> {
    joinRouters(this.httpApp.getMiddleware<NextFunction, unknown>());
    await this.httpApp.getFramework().applyMiddleware();
    await this.socketApp.getFramework().applyMiddleware();
  }

  /** Runs while the doors are still open: tells the clients, stops the core, and only then ends connections. */
  async onStop(container: IMidwayContainer): Promise<void> {
    this.core.agentExecutor.drain();
    for (const { drain } of this.features.values()) drain?.();
    const error = toWireError(new AppError('draining', { retryAfterMs: 5_000 }), 'shutdown');
    this.socketApp.emit('message', { v: 1, type: 'error', ts: new Date().toISOString(), data: { error } });
    await stopCore(this.core, this.stopSteps);
    for (const [name, { endWork }] of this.features) await this.stopSteps.run(name, () => endWork?.());
    // Close the transport, not the namespace: clients then reconnect by themselves, to the next process.
    this.socketApp.engine.close();
    const server: Server = container.get(HTTP_SERVER_KEY);
    server.closeIdleConnections();
    await new Promise(resolve => setTimeout(resolve, LAST_BYTES_MS));
    server.closeAllConnections();
  }
}
