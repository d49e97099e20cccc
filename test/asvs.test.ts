/**
 * Rows of level 1 and 2 of OWASP ASVS 4.0.3, chapters 2 to 4: each is proven by a test whose name has its id, or this list says why not. The rows are told
 * in our words; https://github.com/OWASP/ASVS has the standard.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Section -> its number of rows. The standard has withdrawn 4.1.4, and 2.2.4 to 2.2.7 and 3.6 are of level 3. */
const SECTIONS: Record<string, number> = {
  '2.1': 12,
  '2.2': 3,
  '2.3': 3,
  '2.4': 5,
  '2.5': 7,
  '2.6': 3,
  '2.7': 6,
  '2.8': 7,
  '2.9': 3,
  '2.10': 4,
  '3.1': 1,
  '3.2': 4,
  '3.3': 4,
  '3.4': 5,
  '3.5': 3,
  '3.7': 1,
  '4.1': 5,
  '4.2': 2,
  '4.3': 3,
};
const WITHDRAWN = '4.1.4';

/** Id -> what the row asks for, in short. */
const PROVEN: Record<string, string> = {
  '2.1.1': 'passwords have at least 12 characters',
  '2.1.2': 'passwords have 64 characters and more, at most 128',
  '2.1.3': 'passwords are not cut',
  '2.1.4': 'passwords have any characters',
  '2.1.5': 'people change their password',
  '2.1.6': 'a change needs the current password',
  '2.1.7': 'common passwords are refused',
  '2.1.8': 'the page says how strong a new password is',
  '2.1.9': 'no kind of character is asked for',
  '2.1.10': 'passwords do not expire, and an earlier password may be used again',
  '2.1.11': 'passwords can be pasted',
  '2.1.12': 'passwords can be shown',
  '2.2.1': 'guesses are limited, also those of many addresses for one account, and lock no person out of a known browser',
  '2.2.2': 'a mailed link does not take the place of a stronger factor',
  '2.2.3': 'people learn of unusual sign-ins and changed ways to log in',
  '2.3.1': 'links that begin an account are random, end soon and count once',
  '2.3.2': 'people bring devices of their own, as passkeys',
  '2.4.1': 'passwords are hashed with a slow function and a salt',
  '2.4.2': 'each hash has a random salt of its own',
  '2.5.1': 'links to an account go over encrypted connections alone',
  '2.5.2': 'there are no hints and no questions beside a password',
  '2.5.3': 'a new password tells nothing of the old one',
  '2.5.4': 'there are no default accounts',
  '2.5.5': 'people learn of a changed factor',
  '2.5.6': 'a link for a new password asks for the code of the app',
  '2.5.7': 'a lost app is removed by an admin, who also decides who is invited',
  '2.6.1': 'recovery codes count once',
  '2.6.2': 'recovery codes are random',
  '2.6.3': 'recovery codes are stored as hashes',
  '2.8.1': 'codes of apps expire',
  '2.8.2': 'secrets of apps are encrypted',
  '2.8.3': 'secrets and codes of apps are made by approved algorithms',
  '2.8.4': 'codes of apps count once',
  '2.8.5': 'a code that is tried again is refused and recorded, and the person is told',
  '2.8.6': 'an app that was removed counts for nothing at once',
  '2.8.7': 'a fingerprint or a face counts only together with the device',
  '2.9.2': 'passkey challenges are random and used once',
  '2.9.3': 'devices answer with approved algorithms',
  '2.10.2': 'no password of a service has a default',
  '2.10.3': 'keys of programs are stored as hashes',
  '2.10.4': 'secrets come from files or the environment, and stored ones are encrypted',
  '3.1.1': 'no address has a token',
  '3.2.1': 'a login makes a new token',
  '3.2.2': 'tokens have at least 64 random bits',
  '3.2.3': 'the browser keeps the token in the cookie alone',
  '3.2.4': 'tokens come from the random numbers of the operating system',
  '3.3.1': 'a logout and the end of a right end the session',
  '3.3.2': 'a login ends after 12 hours',
  '3.3.3': 'a new password ends other sessions',
  '3.3.4': 'people see their sessions and end them, without the password again',
  '3.4.1': 'the cookie is Secure',
  '3.4.2': 'the cookie is HttpOnly',
  '3.4.3': 'the cookie is SameSite',
  '3.4.5': 'the cookie is for the path of the gateway alone',
  '3.5.1': 'people revoke the OAuth tokens that the gateway holds for other services',
  '3.5.2': 'pages use a session and no key',
  '3.5.3': 'tokens that are not stored are signed or encrypted, and count once',
  '3.7.1': 'only a complete login changes an account',
  '4.1.1': 'the gateway checks access, not the page',
  '4.1.2': 'people cannot change what access control reads',
  '4.1.3': 'callers reach what they need and nothing else',
  '4.1.5': 'access control refuses when in doubt',
  '4.2.1': "nobody reaches another's things by an id",
  '4.2.2': 'requests of other sites change nothing',
  '4.3.1': 'roles that manage the gateway can be made to need a second factor',
  '4.3.2': 'no folder is listed',
  '4.3.3': 'risky calls need the yes of other people',
};

/** Id -> why no test proves the row. */
const NOT_PROVEN: Record<string, string> = {
  '2.3.3': 'Does not apply: passwords, apps and passkeys do not end with time.',
  '2.4.3': 'Does not apply: PBKDF2 is not used.',
  '2.4.4': 'Does not apply: bcrypt is not used.',
  '2.4.5':
    'Not followed: hashes of passwords have no second, secret salt, because whoever loses it loses all passwords, and it would lie on the same disk on most gateways.',
  '2.7.1': 'Does not apply: no codes are sent by SMS, phone or mail.',
  '2.7.2': 'Does not apply: no codes are sent over another channel.',
  '2.7.3': 'Does not apply: no codes are sent over another channel.',
  '2.7.4': 'Does not apply: no codes are sent over another channel.',
  '2.7.5': 'Does not apply: no codes are sent over another channel.',
  '2.7.6': 'Does not apply: no codes are sent over another channel.',
  '2.9.1': 'Does not apply: the gateway keeps only the public key of a passkey, which is no secret.',
  '2.10.1':
    'Not followed: the database, models and MCP servers take the passwords and keys that the operator sets, and the gateway does not change them.',
  '3.4.4':
    'Not followed: a cookie with the prefix __Host- needs https and the path /, and the gateway also runs over http on this machine and below a path.',
};

const byNumber = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

it('the list has each row of level 1 and 2 of chapters 2 to 4, once', () => {
  const rows = Object.entries(SECTIONS).flatMap(([section, count]) => Array.from({ length: count }, (_, i) => `${section}.${i + 1}`));
  const listed = [...Object.keys(PROVEN), ...Object.keys(NOT_PROVEN)];
  expect(listed.sort(byNumber)).toEqual(rows.filter(id => id !== WITHDRAWN).sort(byNumber));
});

it('each row that is proven has a test, and each id in the name of a test is proven', () => {
  const found = new Set<string>();
  for (const file of globSync(join(__dirname, '**/*.test.ts'))) {
    if (file === __filename) continue;
    for (const [ids] of readFileSync(file, 'utf8').matchAll(/ASVS [0-9., ]+/g))
      for (const [id] of ids.matchAll(/[234]\.\d+\.\d+/g)) found.add(id);
  }
  expect([...found].sort(byNumber)).toEqual(Object.keys(PROVEN).sort(byNumber));
});
