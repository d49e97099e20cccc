import { nameOfMember, toHandle } from '../../../../web/src/components/people/member_names';

it('finds the handle that a text names, and leaves a name that two people have to the gateway', () => {
  const names = { '@ben': 'Ben', '@ben-2': 'Li', '@li': 'Li' };
  expect(['Ben (@ben)', ' ben ', '@cy', 'Li', 'Li (@li)'].map(text => toHandle(text, names))).toEqual(['@ben', '@ben', '@cy', 'Li', '@li']);
});

it('names people, roles and groups with which something is shared', () => {
  const state = { peopleNames: { '@ben': 'Ben' } };
  const members = ['@ben', '@gone', 'approver', 'group:ops'];
  const names = ['Ben', '@gone', 'Everybody with the role approver', 'Everybody in the group ops'];
  expect(members.map(member => nameOfMember(state, member, 'en'))).toEqual(names);
});
