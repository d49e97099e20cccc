/** Posts to addresses that tenants chose. */

export interface WebhookAnswer {
  /** HTTP status. Redirects are not followed. */
  status: number;
  /** The header Retry-After; '' when there is none. */
  retryAfter: string;
}

export interface WebhookSender {
  /** Returns the address in its normal form. Throws WebError for an address that no webhook may reach, before its name is resolved. */
  checkUrl(url: string): string;
  /** Sends JSON; the address is checked again when the connection opens. Rejects with WebError, an error of the network, or the signal's reason. */
  post(url: string, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<WebhookAnswer>;
}
