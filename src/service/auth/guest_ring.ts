/** The guests of all tenants in memory: callers that show the token of a link to a session as their key. */
import type { Principal } from '../../port/principal';
import type { LoginCaller } from './caller_source';

export class GuestRing {
  /** Hash of the token -> guest. */
  private guests: ReadonlyMap<string, Principal> = new Map();
  /** Tenant and name -> session. */
  private sessions: ReadonlyMap<string, string> = new Map();

  replaceAll(callers: readonly LoginCaller[]): void {
    this.guests = new Map(callers.map(({ subject, principal }) => [subject, principal]));
    this.sessions = new Map(
      callers.map(({ principal: { tenantId, keyName, guestOf = '' } }) => [`${tenantId}/${keyName}`, guestOf] as const),
    );
  }

  get isEmpty(): boolean {
    return this.guests.size === 0;
  }

  find(tokenHash: string): Principal | undefined {
    return this.guests.get(tokenHash);
  }

  list(): Principal[] {
    return [...this.guests.values()];
  }

  findSession(tenantId: string, name: string): string | undefined {
    return this.sessions.get(`${tenantId}/${name}`);
  }
}
