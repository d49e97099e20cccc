/** Turns a chat message into the request that starts a run. */
import type { ImageInput } from '../port/image_input';
import type { Interaction } from '../port/store/runs';
import { readTraceContext } from '../port/traceparent';
import { readRequestParameters } from '../service/model/model_parameters';
import type { StartRequest } from '../service/run/start_request';
import { fingerprintOf } from '../utils/fingerprint';
import type { SocketPrincipal } from './handshake';
import type { ClientMessage } from './protocol';

type ChatMessage = Extract<ClientMessage, { type: 'chat' }>;

/** The client that sent the message, on one connection. */
export interface ChatClient {
  principal: SocketPrincipal;
  connectionId: string;
  interaction: Interaction;
}

/** Makes the request of a chat message. `images`: the images of the message, already read. */
export function toStartRequest(message: ChatMessage, client: ChatClient, images?: readonly ImageInput[]): StartRequest {
  const { tenantId, keyName, locale: pageLocale } = client.principal;
  const { text, sessionId, agent, model, parameters, tools, clientMessageId, onBusy = 'enqueue' } = message;
  const locale = message.locale ?? (sessionId === undefined ? pageLocale : undefined);
  return {
    tenantId,
    keyName,
    door: 'socketio',
    text,
    trace: readTraceContext(message),
    images,
    onBusy,
    interaction: client.interaction,
    sessionId,
    agent,
    locale,
    model,
    parameters: parameters && readRequestParameters(parameters),
    limits: tools && { tools },
    idempotency:
      clientMessageId === undefined
        ? undefined
        : {
            key: `chat:${scopeOf(sessionId, client)}:${clientMessageId}`,
            formerKey: `chat:${clientMessageId}`,
            fingerprint: fingerprintOf({
              text,
              sessionId,
              agent,
              model,
              parameters,
              tools,
              images: images && message.images,
            }),
          },
  };
}

/** Returns the scope in which a clientMessageId is unique: the session; without one, the client; without a client id, this connection. */
function scopeOf(sessionId: string | undefined, { principal, connectionId }: ChatClient): string {
  if (sessionId !== undefined) return `session:${sessionId}`;
  return principal.clientId === undefined ? `connection:${connectionId}` : `client:${principal.clientId}`;
}
