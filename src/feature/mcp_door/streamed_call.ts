/**
 * The call that a stream answers. The ids of the events of the stream name the call, so that any gateway can go on with its answer when the client
 * comes back with the id of its last event: the gateway finds the run of the call, and needs nothing of the gateway that began it.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const RpcId = Type.Union([Type.String({ maxLength: 256 }), Type.Number()]);
const StreamedCall = Type.Tuple([Type.String({ maxLength: 36 }), RpcId, Type.Union([RpcId, Type.Null()])]);

export interface StreamedCall {
  /** A UUID. */
  callId: string;
  /** JSON-RPC id of the request. */
  requestId: string | number;
  progressToken: string | number | undefined;
}

/** Returns the call in the body of a request; undefined for another message and for a batch. */
export function callIn(body: unknown, callId: string): StreamedCall | undefined {
  const { id: requestId, method, params } = (body ?? {}) as Record<string, unknown>;
  if (method !== 'tools/call' || (typeof requestId !== 'string' && typeof requestId !== 'number')) return undefined;
  const { _meta: { progressToken } = {} } = (params ?? {}) as { _meta?: { progressToken?: string | number } };
  return { callId, requestId, progressToken };
}

/** Writes the call as the end of an event id. */
export const toEventIdEnd = ({ callId, requestId, progressToken }: StreamedCall): string =>
  `.${Buffer.from(JSON.stringify([callId, requestId, progressToken ?? null])).toString('base64url')}`;

/** Reads the call from an event id of any gateway. Returns undefined for an event of a stream that answers no call. */
export function readEventId(eventId: string): StreamedCall | undefined {
  try {
    const call: unknown = JSON.parse(Buffer.from(eventId.split('.')[1] ?? '', 'base64url').toString());
    if (!Value.Check(StreamedCall, call)) return undefined;
    const [callId, requestId, progressToken] = call;
    return { callId, requestId, progressToken: progressToken ?? undefined };
  } catch {
    return undefined;
  }
}

/** The key under which the store keeps the run of a call, among the keys of requests, for 24 hours. */
export const runKeyOf = (callId: string): string => `mcp-call ${callId}`;
