/** Answers socket messages that fail before they reach the handler. The returned value is the ack. */
import { Catch } from '@midwayjs/core';
import type { Context } from '@midwayjs/socketio';
import { toAppError, toWireError } from '../errors';
import { InjectService } from '../inject_service';
import type { ServiceSettings } from '../service/service_settings';
import { handshakeLocale } from '../wire/handshake_locale';

@Catch()
export class SocketErrorFilter {
  @InjectService()
  serviceSettings!: ServiceSettings;

  async catch(thrown: Error, ctx: Context): Promise<unknown> {
    const error = toAppError(thrown);
    this.serviceSettings.onError('a socket message failed', error.cause ?? error, { requestId: ctx.id });
    return { ok: false, error: toWireError(error, ctx.id, handshakeLocale(ctx)) };
  }
}
