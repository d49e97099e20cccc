/** Who a socket is and what its page can do, taken from the handshake. */
import { type Static, Type } from '@sinclair/typebox';
import { createDecoder } from '../utils/decode';

const Handshake = Type.Object(
  {
    token: Type.Optional(Type.String({ maxLength: 1_000 })),
    capabilities: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })),
    locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])),
  },
  { additionalProperties: false },
);

export interface SocketPrincipal {
  tenantId: string;
  capabilities: ReadonlySet<string>;
  locale?: Static<typeof Handshake>['locale'];
}

const decodeHandshake = createDecoder(Handshake);

/** Throws `invalid_request` for a malformed handshake. */
export function readHandshake(auth: unknown): SocketPrincipal {
  const { capabilities = [], locale } = decodeHandshake(auth ?? {});
  return { tenantId: 'default', capabilities: new Set(capabilities), ...(locale && { locale }) };
}
