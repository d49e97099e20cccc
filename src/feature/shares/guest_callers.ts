/** Brings guests to the gateway as callers: whoever has a link for guests shows its token as a key, and writes in that session alone. */
import type { Clock } from '../../port/clock';
import { GUEST_PREFIX } from '../../port/principal';
import { GUEST, GUEST_SCOPES } from '../../port/roles';
import type { Store } from '../../port/store/store';
import type { CallerSource, LoginCaller } from '../../service/auth/caller_source';
import type { ShareRecord } from './store/share_records';

export interface GuestCallersDeps {
  store: Pick<Store, 'read'>;
  clock: Clock;
  allowsPublic: boolean;
}

/** The guests of all tenants; none where the operator allows no links without login. */
export const createGuestCallers = ({ store, clock, allowsPublic }: GuestCallersDeps): CallerSource => ({
  readCallers: async () => (allowsPublic ? (await store.read.shares.listForGuests(clock.now())).map(guestOf) : []),
});

/** The name has the id of the link and not its token, because it stands in messages, runs and the audit log. */
function guestOf({ tenantId, id, sessionId, tokenHash, expiresAt }: ShareRecord): LoginCaller {
  const keyName = `${GUEST_PREFIX}${id.slice(id.indexOf('_') + 1)}`;
  const person = { id, name: keyName, role: GUEST };
  return {
    subject: tokenHash,
    principal: { tenantId, keyName, keyId: id, scopes: new Set(GUEST_SCOPES), expiresAt, person, guestOf: sessionId },
  };
}
