/** Reads the identity and the capabilities of a client from the Socket.IO handshake. */
import { type Static, Type } from '@sinclair/typebox';
import type { Interaction } from '../port/store/runs';
import type { ServiceSettings } from '../service/service_settings';
import { createDecoder, ID_PATTERN } from '../wire/decode';
import { TENANT_ID } from '../wire/tenant';

const Handshake = Type.Object(
  {
    token: Type.Optional(Type.String({ maxLength: 1_000 })),
    clientId: Type.Optional(Type.String({ pattern: ID_PATTERN, description: 'a UUID that a client keeps over its connections' })),
    capabilities: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })),
    locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])),
  },
  { additionalProperties: false },
);

export interface SocketPrincipal {
  tenantId: string;
  /** Identifies the client over several connections, so that it can retry a message that has no session yet. */
  clientId?: string;
  capabilities: ReadonlySet<string>;
  locale?: Static<typeof Handshake>['locale'];
}

const decodeHandshake = createDecoder(Handshake);

/** Throws `invalid_request` for a malformed handshake. */
export function readHandshake(auth: unknown): SocketPrincipal {
  const { clientId, capabilities = [], locale } = decodeHandshake(auth ?? {});
  return {
    tenantId: TENANT_ID,
    capabilities: new Set(capabilities),
    ...(clientId !== undefined && { clientId }),
    ...(locale && { locale }),
  };
}

/** Returns true when the client can show approvals. */
export const canApprove = ({ capabilities }: SocketPrincipal): boolean => capabilities.has('approval@1');

/** Returns how a run that the client starts can ask a person. Clients that declare `clarify@1` get the longer timeout. */
export function interactionOf(principal: SocketPrincipal, clarify: ServiceSettings['clarify']): Interaction {
  const clarifyTimeoutMs = principal.capabilities.has('clarify@1') ? clarify.declaredTimeoutMs : clarify.timeoutMs;
  return { clarify: 'wait', clarifyTimeoutMs, ...(canApprove(principal) && { approvals: 'wait' }) };
}
