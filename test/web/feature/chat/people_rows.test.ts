import { listPeople } from '../../../../web/src/feature/chat/people_rows';
import { INITIAL_STATE } from '../../../../web/src/state/app_state';

it('lists the owner, the participants, and others who are here because the tenant sees the chat', () => {
  const state = {
    ...INITIAL_STATE,
    sessionId: 's1',
    openSession: { id: 's1', title: '', createdAt: '', updatedAt: '', owner: '@anna', visibility: 'tenant' as const },
    participants: {
      sessionId: 's1',
      rows: [
        { person: '@ben', role: 'driver' as const },
        { person: 'approver', role: 'watcher' as const },
      ],
    },
    presence: {
      sessionId: 's1',
      people: [
        { handle: '@ben', name: 'Ben', part: 'driver' as const, typing: true, tabs: 1 },
        { handle: '@cy', name: 'Cy', part: 'tenant' as const, typing: false, tabs: 2 },
      ],
    },
  };
  expect(listPeople(state).map(({ id, part, isHere, isTyping, isRole }) => [id, part, isHere, isTyping, isRole])).toEqual([
    ['@anna', 'owner', false, false, false],
    ['@ben', 'driver', true, true, false],
    ['approver', 'watcher', false, false, true],
    ['@cy', 'tenant', true, false, false],
  ]);
});
