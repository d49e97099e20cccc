import { passwordsOf } from '../../src/adapter/open_store';

test('a password that logs must not show is known as written and decoded, wherever the address holds it', () => {
  expect(passwordsOf(undefined)).toEqual([]);
  expect(passwordsOf('postgres://neta@db/neta')).toEqual([]);
  expect(passwordsOf('postgres://neta:s%40crets@db/neta')).toEqual(['s%40crets', 's@crets']);
  expect(passwordsOf('postgres://neta:hundred%@db/neta')).toEqual(['hundred%', 'hundred%']);
  expect(passwordsOf('postgres://neta@db/neta?password=in-the-query')).toEqual(['in-the-query']);
});
