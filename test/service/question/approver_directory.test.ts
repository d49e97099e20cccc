/** Who may decide approvals, and which callers are one person. */
import type { Principal, Scope } from '../../../src/port/principal';
import { ApproverDirectory } from '../../../src/service/question/approver_directory';

const caller = (keyName: string, { owner, scopes = ['approve'] }: { owner?: string; scopes?: Scope[] } = {}): Principal => ({
  tenantId: 'acme',
  keyName,
  owner,
  scopes: new Set(scopes),
});
const CALLERS = [
  caller('@anna'),
  caller('laptop', { owner: '@anna' }),
  caller('phone', { owner: '@anna' }),
  caller('ci'),
  caller('reader', { scopes: ['chat'] }),
];
const directory = new ApproverDirectory({ callersOf: tenantId => (tenantId === 'acme' ? CALLERS : []) });

it('counts a person and the keys of that person once', () => {
  expect(directory.approversOf('acme').map(({ keyName }) => keyName)).toEqual(['ci', '@anna']);
  expect(directory.approversOf('other')).toEqual([]);
});

it('gives a person and the keys of that person one id, which is that of no caller of another tenant', () => {
  const ids = ['@anna', 'laptop', 'phone'].map(name => directory.personOf('acme', name));
  expect(new Set(ids)).toEqual(new Set(['acme/@anna']));
  expect(directory.personOf('default', 'laptop')).not.toBe(directory.personOf('acme', 'laptop'));
});

it('excludes all names of a requester', () => {
  const names = directory.namesOfSamePeople('acme', ['phone']);
  expect(names).toEqual(['@anna', 'laptop', 'phone']);
  expect(directory.approversOf('acme', names)).toHaveLength(1);
  // A key that was made since the call was asked about.
  expect(
    new ApproverDirectory({ callersOf: () => [...CALLERS, caller('new', { owner: '@anna' })] }).approversOf('acme', names),
  ).toHaveLength(1);
});
