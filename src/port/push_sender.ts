/** Sends notifications to browsers through their push services (RFC 8030), encrypted for the browser (RFC 8291), signed with the gateway's key (RFC 8292). */

/** The key pair with which the gateway signs (VAPID), in base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** The part of a browser's subscription that a sender needs. */
export interface PushTarget {
  endpoint: string;
  /** `p256dh`: an uncompressed point on P-256 in base64url. */
  publicKey: string;
  /** `auth`: 16 bytes in base64url. */
  authSecret: string;
}

export interface PushMessage {
  /** At most 3,000 bytes. */
  payload: string;
  /** Seconds for which the push service keeps the message for a device that is off. */
  ttlSeconds: number;
  urgency: 'normal' | 'high';
  keys: PushKeys;
}

export interface PushAnswer {
  /** HTTP status. Redirects are not followed. */
  status: number;
  /** The header Retry-After; '' when there is none. */
  retryAfter: string;
}

export interface PushSender {
  createKeys(): Promise<PushKeys>;
  /**
   * Returns the target with its endpoint in normal form. Throws WebError for an endpoint that may not be reached, before its name is resolved, and for
   * keys that are none.
   */
  checkTarget(target: PushTarget): PushTarget;
  /** Sends a message; the address is checked again when the connection opens. Rejects with WebError, an error of the network, or the signal's reason. */
  send(target: PushTarget, message: PushMessage, signal: AbortSignal): Promise<PushAnswer>;
}
