/** Answers one client message: by ack if the client asked for an ack, otherwise by an `error` event when the message failed. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'socket.io';
import { AppError, toAppError, toWireError } from '../errors';
import type { LogError, LogEvent } from '../port/logger';
import type { Refusals } from '../service/limits/refusals';
import { handshakeLocale } from '../wire/handshake_locale';

export interface Reply {
  ok(fields: Record<string, unknown>): void;
  fail(thrown: unknown): void;
  /** Sends an event without seq to this client only. */
  event(type: 'pong' | 'error' | 'sessions_changed', data: Record<string, unknown>): void;
}

interface ErrorLog {
  onError: LogError;
  onEvent: LogEvent;
  refusals: Refusals;
}

/** Answers events other than `message` with an error, so that no client waits for an ack that never comes. */
export function refuseUnknownEvents(socket: Socket, log: ErrorLog): void {
  socket.onAny((event: unknown, ...args: unknown[]) => {
    if (event === 'message') return;
    replyTo(socket, args.at(-1), log).fail(
      new AppError('invalid_request', { message: 'The only event is `message`.', messageZh: '唯一的事件是 `message`。' }),
    );
  });
}

/** `ack`: the last argument of the event; a function when the client asked for an ack. */
export function replyTo(socket: Socket, ack: unknown, log: ErrorLog): Reply {
  const send = typeof ack === 'function' ? (ack as (answer: unknown) => void) : undefined;
  const event: Reply['event'] = (type, data) => {
    socket.emit('message', { v: 1, type, ts: new Date().toISOString(), data });
  };
  let isAnswered = false;
  return {
    event,
    ok(fields) {
      isAnswered = true;
      send?.({ ok: true, ...fields });
    },
    fail(thrown) {
      const error = toAppError(thrown);
      log.refusals.note('socketio', error, socket.data.principal);
      const requestId = randomUUID();
      if (error.code === 'internal') log.onError('a socket message failed', error.cause ?? error, { requestId, code: error.code });
      else log.onEvent('info', 'a message was refused', { requestId, door: 'socketio', code: error.code });
      const wire = toWireError(error, requestId, handshakeLocale(socket));
      if (send && !isAnswered) send({ ok: false, error: wire });
      else event('error', { error: wire });
      isAnswered = true;
    },
  };
}
