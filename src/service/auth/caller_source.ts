/** Callers that features bring to the ring of keys. */
import type { Principal } from '../../port/principal';

/** Callers beside API keys: people with accounts, whom only logins bring, and guests. */
export interface CallerSource {
  /** Resolves with the callers of all tenants that may log in now. */
  readCallers(): Promise<readonly LoginCaller[]>;
}

export interface LoginCaller {
  /**
   * Stands in logins of a person where those of keys have the hash of the key: 32 random bytes in hexadecimal digits, the hash of no known secret. For a
   * guest: the hash of the token of the link, which the guest shows as a key.
   */
  subject: string;
  principal: Principal;
}
