/** Secrets that open one route each, for programs that need no key. */
import { contentHash } from '../../utils/content_hash';

export class RouteTokens {
  /** operationId -> hash of the secret. */
  private readonly hashes = new Map<string, string>();

  /** Opens the route with this `operationId` for callers that show the secret. */
  add(operationId: string, secret: string): void {
    this.hashes.set(operationId, contentHash(secret));
  }

  /** Compares hashes, so that the time tells nothing about the secret. */
  opens(operationId: string, secret: string | undefined): boolean {
    const known = this.hashes.get(operationId);
    return known !== undefined && secret !== undefined && known === contentHash(secret);
  }
}
