/**
 * Defines the messages that clients send over Socket.IO, and the scope that each message needs. The server sends the events of port/run_event.ts,
 * `pong`, `error`, `replay_reset`, `sessions_changed`, `presence` and `participants_changed`.
 */

import { type Static, type TObject, Type } from '@sinclair/typebox';
import { AppError } from '../errors';
import { type Attachments, WrittenFiles, WrittenImages } from '../port/image_input';
import { WrittenParameters } from '../port/model_parameters';
import type { NeededScope } from '../port/principal';
import { ApprovalAnswer } from '../port/run_event';
import { RunTools } from '../port/run_tools';
import type { Interaction } from '../port/store/runs';
import { readTraceContext } from '../port/traceparent';
import { ownerOf } from '../service/access/session_access';
import type { SessionAction } from '../service/access/session_action';
import { readRequestParameters } from '../service/model/model_parameters';
import type { StartRequest } from '../service/run/start_request';
import { fingerprintOf } from '../utils/fingerprint';
import { createDecoder, type Decoder, ID_PATTERN } from '../wire/decode';
import { NOT_BLANK } from '../wire/not_blank';
import type { SocketPrincipal } from './handshake';

const closed = { additionalProperties: false };
const Id = Type.String({ pattern: ID_PATTERN });
const Locale = Type.Union([Type.Literal('en'), Type.Literal('zh-CN')]);
/** Bytes of a client message. The transport's limit is higher, so that a longer message gets an error instead of a closed connection. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Bytes of a message with images or files. */
const MAX_IMAGE_MESSAGE_BYTES = 896 * 1024;
/** Characters of a message to the agent. */
export const MAX_INPUT_LENGTH = 200_000;

/** Schemas of the client messages by type. */
export const CLIENT_MESSAGES = {
  chat: Type.Object(
    {
      type: Type.Literal('chat'),
      text: Type.String({ minLength: 1, maxLength: MAX_INPUT_LENGTH, pattern: NOT_BLANK }),
      images: Type.Optional(WrittenImages),
      files: Type.Optional(WrittenFiles),
      sessionId: Type.Optional(Id),
      clientMessageId: Type.Optional(Id),
      agent: Type.Optional(Id),
      locale: Type.Optional(Locale),
      model: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      parameters: Type.Optional(WrittenParameters),
      tools: Type.Optional(RunTools),
      onBusy: Type.Optional(
        Type.Union([Type.Literal('enqueue'), Type.Literal('reject'), Type.Literal('interrupt'), Type.Literal('steer')]),
      ),
      // W3C trace context of the message, as in the headers of a request; invalid values are ignored.
      traceparent: Type.Optional(Type.String()),
      tracestate: Type.Optional(Type.String()),
    },
    closed,
  ),
  subscribe: Type.Object(
    {
      type: Type.Literal('subscribe'),
      sessionId: Id,
      after: Type.Optional(Type.Object({ runId: Id, seq: Type.Integer({ minimum: 0 }) }, closed)),
    },
    closed,
  ),
  clarify_response: Type.Object(
    {
      type: Type.Literal('clarify_response'),
      sessionId: Id,
      requestId: Id,
      answer: Type.String({ maxLength: 20_000, pattern: NOT_BLANK }),
      images: Type.Optional(WrittenImages),
      files: Type.Optional(WrittenFiles),
    },
    closed,
  ),
  approval_response: Type.Object(
    { type: Type.Literal('approval_response'), sessionId: Id, requestId: Id, ...ApprovalAnswer.properties },
    closed,
  ),
  clarify_extend: Type.Object({ type: Type.Literal('clarify_extend'), sessionId: Id, requestId: Id }, closed),
  cancel: Type.Object(
    {
      type: Type.Literal('cancel'),
      runId: Id,
      toolCallId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'stop only this tool call' })),
    },
    closed,
  ),
  steer: Type.Object(
    {
      type: Type.Literal('steer'),
      runId: Id,
      text: Type.String({ minLength: 1, maxLength: MAX_INPUT_LENGTH, pattern: NOT_BLANK }),
      images: Type.Optional(WrittenImages),
      files: Type.Optional(WrittenFiles),
    },
    closed,
  ),
  set_thinking_level: Type.Object(
    {
      type: Type.Literal('set_thinking_level'),
      sessionId: Id,
      level: Type.Union([Type.Literal('off'), Type.Literal('minimal'), Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')]),
    },
    closed,
  ),
  typing: Type.Object({ type: Type.Literal('typing'), sessionId: Id }, closed),
  watch_sessions: Type.Object({ type: Type.Literal('watch_sessions') }, closed),
  ping: Type.Object({ type: Type.Literal('ping') }, closed),
} as const satisfies Record<string, TObject>;

type ClientMessageType = keyof typeof CLIENT_MESSAGES;
export type ClientMessage = { [T in ClientMessageType]: Static<(typeof CLIENT_MESSAGES)[T]> }[ClientMessageType];

/** The scope that each client message needs. The compiler demands a row for every message. */
export const MESSAGE_SCOPES: Readonly<Record<ClientMessageType, Exclude<NeededScope, 'open'>>> = {
  chat: 'chat',
  subscribe: 'chat:read',
  clarify_response: 'chat',
  approval_response: 'approve',
  clarify_extend: ['chat', 'approve'],
  cancel: 'chat',
  steer: 'chat',
  set_thinking_level: 'chat',
  typing: 'chat',
  watch_sessions: 'chat:read',
  ping: 'any',
};

/** Messages of guests. All but the ping name the session. */
export const GUEST_MESSAGES: ReadonlySet<ClientMessageType> = new Set([
  'chat',
  'subscribe',
  'clarify_response',
  'clarify_extend',
  'cancel',
  'steer',
  'typing',
  'ping',
]);

/** What each message about a session does in it. Answers and decisions are missing: QuestionAccess says who may give them. */
export const MESSAGE_ACTIONS: Readonly<Partial<Record<ClientMessageType, SessionAction>>> = {
  chat: 'drive',
  subscribe: 'look',
  clarify_extend: 'answer',
  cancel: 'drive',
  steer: 'drive',
  set_thinking_level: 'drive',
};

const decoders = new Map<string, Decoder<TObject>>(
  Object.entries(CLIENT_MESSAGES).map(([type, schema]) => [type, createDecoder<TObject>(schema)]),
);

/** Validates a client message, its `type` first, so that the error names the wrong field. Throws `invalid_request` or `too_large`. */
export function decodeClientMessage(value: unknown): ClientMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_request', {
      param: '/',
      message: 'A message is an object with a type.',
      messageZh: '消息是带 type 的对象。',
    });
  }
  const field = 'images' in value ? 'images' : 'files' in value ? 'files' : undefined;
  const maxBytes = field ? MAX_IMAGE_MESSAGE_BYTES : MAX_MESSAGE_BYTES;
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    const [message, messageZh] = [`A message may have at most ${maxBytes / 1024} KiB.`, `一条消息最多 ${maxBytes / 1024} KiB。`];
    if (!field) throw new AppError('too_large', { message, messageZh });
    throw new AppError('too_large', {
      param: `/${field}`,
      message: `${message} Send a larger image or file as a path in the workspace.`,
      messageZh: `${messageZh}更大的图片或文件请以工作区中的路径发送。`,
    });
  }
  const type = (value as { type?: unknown }).type;
  const decode = typeof type === 'string' ? decoders.get(type) : undefined;
  if (!decode) {
    throw new AppError('invalid_request', {
      param: '/type',
      message: `/type: must be one of ${[...decoders.keys()].join(', ')}.`,
      messageZh: `/type：必须是以下之一：${[...decoders.keys()].join('、')}。`,
    });
  }
  // The decoder was chosen by the type that it validates.
  return decode(value) as ClientMessage;
}

type ChatMessage = Extract<ClientMessage, { type: 'chat' }>;

/** The client that sent the message, on one connection. */
interface ChatClient {
  principal: SocketPrincipal;
  connectionId: string;
  interaction: Interaction;
}

/** Makes the request of a chat message. `attached`: the images and files of the message, already read. */
export function toStartRequest(message: ChatMessage, client: ChatClient, attached: Attachments = {}): StartRequest {
  const { tenantId, keyName, locale: pageLocale } = client.principal;
  const { text, sessionId, agent, model, parameters, tools, clientMessageId, onBusy = 'enqueue' } = message;
  const locale = message.locale ?? (sessionId === undefined ? pageLocale : undefined);
  return {
    tenantId,
    keyName,
    door: 'socketio',
    text,
    trace: readTraceContext(message),
    ...attached,
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
            formerKey: ownerOf(keyName) === undefined ? `chat:${clientMessageId}` : undefined,
            fingerprint: fingerprintOf({
              text,
              sessionId,
              agent,
              model,
              parameters,
              tools,
              images: attached.images && message.images,
              files: attached.files && message.files,
            }),
          },
  };
}

/** Returns the scope in which a clientMessageId is unique: the session; without one, the client; without a client id, this connection. */
function scopeOf(sessionId: string | undefined, { principal, connectionId }: ChatClient): string {
  if (sessionId !== undefined) return `session:${sessionId}`;
  return principal.clientId === undefined
    ? `connection:${connectionId}`
    : `client:${ownerOf(principal.keyName) ?? ''}${principal.clientId}`;
}
