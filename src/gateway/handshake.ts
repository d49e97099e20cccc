/** Reads the identity and the capabilities of a client from the Socket.IO handshake. */
import { type Static, Type } from '@sinclair/typebox';
import { hasScope, type Principal } from '../port/principal';
import type { Interaction } from '../port/store/runs';
import type { ServiceSettings } from '../service/service_settings';
import { createDecoder, ID_PATTERN } from '../wire/decode';

const Handshake = Type.Object(
  {
    token: Type.Optional(Type.String({ maxLength: 8_192 })),
    clientId: Type.Optional(Type.String({ pattern: ID_PATTERN, description: 'a UUID that a client keeps over its connections' })),
    capabilities: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })),
    locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])),
  },
  { additionalProperties: false },
);

/** The caller of a socket, with the client id and capabilities of its handshake. */
export interface SocketPrincipal extends Principal {
  /** Identifies the client over several connections, so that the client can retry a message that has no session yet. */
  clientId?: string;
  capabilities: readonly string[];
  locale?: Static<typeof Handshake>['locale'];
}

const decodeHandshake = createDecoder(Handshake);

export type Handshake = Static<typeof Handshake>;

/** Throws `invalid_request` for a malformed handshake. */
export const readHandshake = (auth: unknown): Handshake => decodeHandshake(auth ?? {});

export function toSocketPrincipal({ clientId, capabilities = [], locale }: Handshake, principal: Principal): SocketPrincipal {
  return {
    ...principal,
    capabilities,
    clientId,
    locale,
  };
}

/** Returns true when the client can show approvals and its key may decide them. */
export const canApprove = (principal: SocketPrincipal): boolean =>
  principal.capabilities.includes('approval@1') && hasScope(principal, 'approve');

/** Returns true for a client that shows who looks at a session: others do not know these messages, and expect the events of runs alone. */
export const showsPeople = ({ capabilities }: SocketPrincipal): boolean => capabilities.includes('presence@1');

/**
 * Returns how a run that the client starts can ask a person. Clients that declare `clarify@1` get the longer timeout. `hasApprover`: somebody in the
 * tenant may decide approvals, so a client that only shows them waits for that person.
 */
export function interactionOf(
  { capabilities }: SocketPrincipal,
  { clarify, hasApprover }: { clarify: ServiceSettings['clarify']; hasApprover: boolean },
): Interaction {
  const clarifyTimeoutMs = capabilities.includes('clarify@1') ? clarify.declaredTimeoutMs : clarify.timeoutMs;
  return { clarify: 'wait', clarifyTimeoutMs, approvals: hasApprover && capabilities.includes('approval@1') ? 'wait' : undefined };
}
