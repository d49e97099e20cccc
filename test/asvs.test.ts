/** Rows of OWASP ASVS 4.0.3, chapters 2 to 4, level 2, that tests prove: their names have the ids. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Id -> what the row asks for, in short. */
const PROVEN: Record<string, string> = {
  '2.1.1': 'passwords have at least 12 characters',
  '2.1.11': 'passwords can be pasted',
  '2.1.12': 'passwords can be shown',
  '2.1.2': 'passwords have 64 characters and more, at most 128',
  '2.1.3': 'passwords are not cut',
  '2.1.4': 'passwords have any characters',
  '2.1.5': 'people change their password',
  '2.1.6': 'a change needs the current password',
  '2.1.7': 'common passwords are refused',
  '2.1.8': 'the page says how strong a new password is',
  '2.1.9': 'no kind of character is asked for',
  '2.2.1': 'guesses are limited',
  '2.2.3': 'people learn of unusual sign-ins and changed ways to log in',
  '2.5.5': 'people learn of a changed factor',
  '2.6.1': 'recovery codes count once',
  '2.6.2': 'recovery codes are random',
  '2.8.1': 'codes of apps end',
  '2.8.4': 'codes of apps count once',
  '2.8.5': 'a code that is tried again is refused and recorded',
  '3.2.1': 'a login makes a new token',
  '3.3.1': 'a logout and the end of a right end the session',
  '3.3.3': 'a new password ends other sessions',
  '3.3.4': 'people see their sessions and end them',
  '3.4.1': 'the cookie is Secure',
  '3.4.2': 'the cookie is HttpOnly',
  '3.4.3': 'the cookie is SameSite',
  '4.1.1': 'the gateway checks access, not the page',
  '4.1.2': 'people cannot change what access control reads',
  '4.1.3': 'callers reach what they need and nothing else',
  '4.1.5': 'access control refuses when in doubt',
  '4.2.1': "nobody reaches another's things by an id",
  '4.2.2': 'requests of other sites change nothing',
};

it('each row of chapters 2 to 4 that this list names has a test, and each id in the name of a test is in the list', () => {
  const found = new Set<string>();
  for (const file of globSync(join(__dirname, '**/*.test.ts'))) {
    if (file === __filename) continue;
    for (const [ids] of readFileSync(file, 'utf8').matchAll(/ASVS [0-9., ]+/g))
      for (const [id] of ids.matchAll(/[234]\.\d+\.\d+/g)) found.add(id);
  }
  expect([...found].sort()).toEqual(Object.keys(PROVEN));
});
