/** Facts from the HTTP request of a Socket.IO connection; the request itself is freed once the connection is open. */
export interface HandshakeFacts {
  /** IP address of the client. */
  address: string;
  /** The start of the header User-Agent. */
  userAgent?: string;
  /** The value of the login cookie. */
  token?: string | undefined;
}

/** A connection of Socket.IO's engine, with the facts of its handshake. */
export interface ConnectionWithFacts {
  facts?: HandshakeFacts;
}
