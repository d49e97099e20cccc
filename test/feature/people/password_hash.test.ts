import { hashPassword, isPassword } from '../../../src/feature/people/password/password_hash';

it('ASVS 2.4.1, 2.4.2: hashes a password with Argon2id, 19 MiB and 16 random bytes of salt of its own', async () => {
  const [one, two] = [await hashPassword('seven green umbrellas'), await hashPassword('seven green umbrellas')];
  const parts = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]{22})\$[\w+/]{43}$/;
  const salts = [one, two].map(hash => parts.exec(hash)?.[1]);
  expect(salts.every(salt => salt !== undefined && Buffer.from(salt, 'base64').length === 16)).toBe(true);
  expect(salts[0]).not.toBe(salts[1]);
  expect([await isPassword('seven green umbrellas', one), await isPassword('seven green umbrella', one)]).toEqual([true, false]);
});
