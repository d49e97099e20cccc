/** What fails before or around the gateway's own handler still acks: the returned value is the ack. */
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
    this.serviceSettings.onError(`socket ${ctx.id}`, error.cause ?? error);
    return { ok: false, error: toWireError(error, ctx.id) };
  }
}
