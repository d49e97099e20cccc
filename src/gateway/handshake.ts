/** Who a socket is and what its page can do, taken from the handshake. */
import { type Static, Type } from '@sinclair/typebox';
import { createDecoder, ID_PATTERN } from '../wire/decode';

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
  /** Names the client over several connections, so that it can repeat a message that has no session yet. */
  clientId?: string;
  capabilities: ReadonlySet<string>;
  locale?: Static<typeof Handshake>['locale'];
}

const decodeHandshake = createDecoder(Handshake);

/** Throws `invalid_request` for a malformed handshake. */
export function readHandshake(auth: unknown): SocketPrincipal {
  const { clientId, capabilities = [], locale } = decodeHandshake(auth ?? {});
  return {
    tenantId: 'default',
    capabilities: new Set(capabilities),
    ...(clientId !== undefined && { clientId }),
    ...(locale && { locale }),
  };
}
