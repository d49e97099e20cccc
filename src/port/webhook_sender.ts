/** Posts to addresses that tenants chose. */

/** What a webhook can hear of. */
export const WEBHOOK_EVENTS = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.waiting',
  'budget.threshold',
  'login.unusual',
  'login.changed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

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
