import { randomUUID } from 'node:crypto';
import { InvitationService } from '../../../src/feature/people/password/invitation_service';
import type { Scope } from '../../../src/port/principal';
import { openPersonBench, PERSON } from '../../support/person_bench';

const DAY_MS = 24 * 3_600_000;

it('ASVS 2.3.1: ends an invitation after seven days, and a link for a new password after one', async () => {
  const { release, ...deps } = await openPersonBench();
  try {
    const invitations = new InvitationService({
      ...deps,
      createSecret: randomUUID,
      keys: { applyChange: async () => {}, isLocked: true },
      signIns: { start: () => Promise.reject(new Error('no login in this test')) },
      loginSettings: { assertPasswords: () => {} },
    });
    const caller = { tenantId: PERSON.tenantId, keyName: 'root', scopes: new Set<Scope>() };
    const invitation = await invitations.invite(caller, { role: 'member', email: 'ben@example.com' });
    const link = await invitations.makePasswordLink(caller, PERSON.id);
    const isOpen = ({ token }: { token: string }) =>
      invitations.readInvitation(token).then(
        () => true,
        () => false,
      );
    const after: boolean[][] = [];
    for (const ms of [DAY_MS - 1, 1, 6 * DAY_MS - 1, 1]) {
      deps.clock.advance(ms);
      after.push([await isOpen(invitation), await isOpen(link)]);
    }
    expect(after).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [false, false],
    ]);
  } finally {
    await release();
  }
});
