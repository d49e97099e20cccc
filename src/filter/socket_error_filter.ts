/** Answers socket messages that fail before they reach the handler. The returned value is the ack. */
import { Catch, Inject } from '@midwayjs/core';
import type { Context } from '@midwayjs/socketio';
import { toAppError, toWireError } from '../errors';
import type { ServiceSettings } from '../service/service_settings';

@Catch()
export class SocketErrorFilter {
  @Inject()
  serviceSettings!: ServiceSettings;

  async catch(thrown: Error, ctx: Context): Promise<unknown> {
    const error = toAppError(thrown);
    this.serviceSettings.onError('a socket message failed', error.cause ?? error, { requestId: ctx.id });
    return { ok: false, error: toWireError(error, ctx.id) };
  }
}
