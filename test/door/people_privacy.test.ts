/** A person takes everything along, and is forgotten on request. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import { until } from '../support/until';

const PASSWORD = 'seven green umbrellas';
/** Words that stand nowhere else. */
const [CHAT, PROMPT, JOB] = ['zyxglorp', 'quvandle', 'brimzockel'];

interface Account {
  client: PersonClient;
  id: string;
}

const daily = { schedule: { cron: '0 8 * * *', timeZone: 'UTC' }, input: 'look' };

let keys: KeyBench;
let anna: Account;
let ben: Account;
let sessionId: string;

async function addPerson(name: string, role = 'member'): Promise<Account> {
  const link = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  const client = await acceptInvitation(keys.url, link.body, { name, password: PASSWORD });
  const { body } = await client.request<{ person: { id: string } }>('GET', '/me');
  return { client, id: body.person.id };
}

beforeAll(async () => {
  keys = await startKeyBench();
  anna = await addPerson('anna');
  ben = await addPerson('ben', 'admin');
  const run = await anna.client.request<{ sessionId: string }>('POST', '/runs', { input: `remember ${CHAT}` });
  ({ sessionId } = run.body);
  await anna.client.request('POST', '/prompts', { name: 'mine', text: `write about ${PROMPT}` });
  await anna.client.request('POST', '/jobs', { ...daily, name: 'mine', input: `look for ${JOB}` });
  await ben.client.request('POST', '/runs', { input: 'hello from ben' });
});
afterAll(() => keys?.bench.stop());

const exportOf = async (client: Pick<PersonClient, 'request'>, id: string) => {
  const { status, body } = await client.request<string>('GET', `/people/${id}/export`);
  return { status, text: typeof body === 'string' ? body : JSON.stringify(body) };
};

it('ASVS 4.1.3: gives a person everything, a key what its scopes read, and an admin only what an admin sees', async () => {
  const own = await exportOf(anna.client, anna.id);
  for (const word of ['anna@example.com', CHAT, PROMPT, JOB]) expect(own.text).toContain(word);
  expect(own.text).not.toContain('hello from ben');
  const forAdmin = await exportOf(ben.client, anna.id);
  expect([PROMPT, JOB, CHAT].map(word => forAdmin.text.includes(word))).toEqual([true, false, false]);
  expect((await exportOf(anna.client, ben.id)).status).toBe(404);
  const keyWith = async (scope: string) => {
    const { body } = await ben.client.request<{ secret: string }>('POST', '/api-keys', { name: scope.replace(':', '-'), scopes: [scope] });
    return withKey(keys.url, body.secret);
  };
  expect((await exportOf(await keyWith('chat'), ben.id)).text).toContain('hello from ben');
  expect((await exportOf(await keyWith('ops:read'), ben.id)).status).toBe(403);
});

it('makes a job of the tenant the work of the person who wrote its input last', async () => {
  const { body } = await keys.admin.request<{ id: string }>('POST', '/jobs', { ...daily, name: 'shared' });
  await anna.client.request('PATCH', `/jobs/${body.id}`, { input: 'words of anna' });
  await ben.client.request('PATCH', `/jobs/${body.id}`, { name: 'renamed' });
  expect((await exportOf(anna.client, anna.id)).text).toContain('renamed');
  await ben.client.request('PATCH', `/jobs/${body.id}`, { input: 'words of ben' });
  expect((await exportOf(anna.client, anna.id)).text).not.toContain('renamed');
  expect((await exportOf(ben.client, ben.id)).text).toContain('words of ben');
});

it('ASVS 8.3: erases the chats, prompts and jobs of a person, also from the file of the database, and keeps the acts', async () => {
  expect((await keys.admin.request('DELETE', `/people/${anna.id}?erase=perhaps`)).status).toBe(400);
  expect((await keys.admin.request('DELETE', `/people/${anna.id}?erase=true`)).status).toBe(204);
  expect((await anna.client.request('GET', '/me')).status).toBe(401);
  for (const path of [`/sessions/${sessionId}`, `/people/${anna.id}/export`])
    expect((await keys.admin.request('GET', path)).status).toBe(404);
  const { body } = await keys.admin.request<{ data: { actor: string; action: string; target: string }[] }>('GET', '/audit');
  expect(body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'person.erase', target: '@anna', details: { sessions: 1, others: 2 } }),
      expect.objectContaining({ action: 'person.export', actor: '@anna' }),
    ]),
  );
  await until(wordsInFiles, words => words.length === 0, { limitMs: 55_000 });
}, 70_000);

/** Returns which of the words the files of the database still have. */
function wordsInFiles(): string[] {
  const { dataDir } = keys.bench.gateway;
  const names = readdirSync(dataDir).filter(name => name.startsWith('neta.db'));
  const bytes = names.map(name => readFileSync(join(dataDir, name)));
  return [CHAT, PROMPT, JOB, 'anna@example.com'].filter(word => bytes.some(found => found.includes(word)));
}
