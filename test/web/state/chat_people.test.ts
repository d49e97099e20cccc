import type { Me, SessionSummary } from '../../../web/src/api/rest_types';
import { initialsOf } from '../../../web/src/feature/chat/initials';
import { INITIAL_STATE } from '../../../web/src/state/app_state';
import { isTogether, mayDecide, mayWrite, nameIn, partInChat } from '../../../web/src/state/chat_people';

const me: Me = {
  keyName: '@ben',
  tenant: 'acme',
  scopes: [],
  operator: false,
  loginRequired: true,
  person: { id: 'p1', name: 'Ben', role: 'approver' },
};
const chat = (fields: Partial<SessionSummary>): SessionSummary => ({ id: 's1', title: '', createdAt: '', updatedAt: '', ...fields });
const stateOf = (fields: Partial<SessionSummary>, more: object = {}) => ({
  ...INITIAL_STATE,
  me,
  sessionId: 's1',
  openSession: chat(fields),
  ...more,
});

describe('the part of a person in the open chat', () => {
  it('follows from the owner, the visibility, and the best row of the person or the role', () => {
    const shared = { owner: '@anna', visibility: 'shared' } as const;
    const rows = (...pairs: [string, string][]) => ({
      participants: { sessionId: 's1', rows: pairs.map(([person, role]) => ({ person, role })) },
    });
    expect(partInChat(stateOf({}))).toBe('everybody');
    expect(partInChat(stateOf({ owner: '@ben', visibility: 'private' }))).toBe('owner');
    expect(partInChat(stateOf({ owner: '@anna', visibility: 'tenant' }))).toBe('tenant');
    expect(partInChat(stateOf(shared, rows(['@ben', 'watcher'], ['@cy', 'driver'])))).toBe('watcher');
    expect(partInChat(stateOf(shared, rows(['@ben', 'watcher'], ['approver', 'approver'])))).toBe('approver');
  });

  it('is unknown until the participants of this chat are read, and then the gateway decides', () => {
    const shared = { owner: '@anna', visibility: 'shared' } as const;
    const other = { participants: { sessionId: 's2', rows: [{ person: '@ben', role: 'watcher' }] } };
    expect(partInChat(stateOf(shared, other))).toBeUndefined();
    expect(mayWrite(undefined) && mayDecide(undefined)).toBe(true);
    const presence = { sessionId: 's1', people: [{ handle: '@ben', name: 'Ben', part: 'watcher', typing: false, tabs: 1 }] };
    expect(partInChat(stateOf(shared, { presence }))).toBe('watcher');
  });

  it('is no part for a key', () => {
    expect(partInChat(stateOf({ owner: '@anna', visibility: 'shared' }, { me: { ...me, person: undefined } }))).toBeUndefined();
  });
});

it('names authors in a chat that others see, and in a private one that others have written in', () => {
  const turns = (by: string) => ({
    view: { turns: [{ key: 'r1', input: 'x', by, state: 'completed', lastSeq: 0, items: [], segmentStart: 0 }] },
  });
  const own = { owner: '@ben', visibility: 'private' } as const;
  expect(isTogether(stateOf(own, turns('@ben')) as never)).toBe(false);
  expect(isTogether(stateOf(own, turns('@anna')) as never)).toBe(true);
  expect(isTogether(stateOf({ ...own, visibility: 'shared' }))).toBe(true);
});

it('names a person by the name, else by the handle, and a key by its name', () => {
  const state = { me, peopleNames: { '@anna': 'Anna Lee' } };
  expect(['@anna', '@ben', '@cy', 'ci'].map(handle => nameIn(state, handle))).toEqual(['Anna Lee', 'Ben', '@cy', 'ci']);
});

it('makes initials of names in any script', () => {
  expect(['Anna Lee', 'ben', '@cy.x', '李雷', 'Ana María de la Cruz', ''].map(initialsOf)).toEqual(['AL', 'B', 'C', '李', 'AC', '']);
});
