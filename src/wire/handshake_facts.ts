/** Facts from the HTTP request of a Socket.IO connection; the request itself is freed once the connection is open. */
export interface HandshakeFacts {
  /** IP address of the client. */
  address: string;
  /** The start of the header User-Agent. */
  userAgent?: string;
  /** The value of the login cookie. */
  token?: string | undefined;
}

/** The engine of Socket.IO keeps one of these for each connection. */
export interface ConnectionWithFacts {
  facts?: HandshakeFacts;
}
