/** A gateway with several people who work in one chat, for pictures of what people do with each other. */
import type { BrowserContext } from 'playwright-core';
import { connectChat } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { withKey } from '../support/key_bench';
import type { MockModel } from '../support/mock_model';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { RestClient } from '../support/rest_client';

const ADMIN = 'shots-secret-0123456789';
const PASSWORD = 'seven green umbrellas';

export type PersonName = 'anna' | 'ben' | 'carol' | 'dora';

const PEOPLE: readonly { name: PersonName; shown: string; role: string }[] = [
  { name: 'anna', shown: 'Anna Lindqvist', role: 'admin' },
  { name: 'ben', shown: 'Ben', role: 'member' },
  { name: 'carol', shown: 'Carolina Fernández de la Vega', role: 'approver' },
  { name: 'dora', shown: '王小明', role: 'member' },
];

type Person = PersonClient & { handle: string };

export interface PeopleStudio {
  readonly gateway: Gateway;
  readonly sessionId: string;
  /** Links of an invitation and to the chat for guests. */
  readonly invitation: string;
  readonly guestLink: string;
  /** Logs a browser in. */
  enter(context: BrowserContext, name: PersonName): Promise<void>;
  /** Ben opens the chat and types. */
  letBenType(): Promise<void>;
}

/** Adds to `stops` what ends it. */
export async function startPeopleStudio(model: MockModel, stops: (() => Promise<unknown>)[]): Promise<PeopleStudio> {
  model.onTurn('plan the cellar', 'The red shelf first, then the green one.');
  model.onTurn('and the shed', 'The shed can wait until May.');
  const gateway = await startGateway({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'none',
      NETA_MODEL: 'mock-1',
      NETA_PUBLIC_SHARES: '1',
      NETA_API_KEYS: `root:${ADMIN}:default:chat+tools+approve+ops:read+ops:write+admin`,
    },
  });
  stops.push(() => gateway.stop());
  const admin = withKey(gateway.url, ADMIN);
  const people = new Map<PersonName, Person>();
  for (const { name, shown, role } of PEOPLE) {
    const link = await invite(admin, role, `${name}@example.com`);
    const client = await acceptInvitation(gateway.url, link, { name: shown, password: PASSWORD });
    const { body } = await client.request<{ keyName: string }>('GET', '/me');
    people.set(name, { ...client, handle: body.keyName });
  }
  const find = (name: PersonName): Person => {
    const person = people.get(name);
    if (!person) throw new Error(`There is no ${name}.`);
    return person;
  };
  const asked = { question: 'Which cellar do you mean?', choices: ['The red one', 'The green one'], to: find('dora').handle };
  model.onTurn('ask dora', { toolCalls: [{ name: 'clarify', arguments: asked }] }, 'Thank you.');
  const { url: invitation } = await invite(admin, 'member', 'emil@example.com');
  const { sessionId, guestLink } = await makeThings(find);
  const ben = await connectChat(gateway.url, { capabilities: ['presence@1'] }, find('ben').headers);
  stops.push(async () => ben.close());
  return {
    gateway,
    sessionId,
    invitation,
    guestLink,
    async enter(context, name) {
      const [cookie = '', ...value] = (find(name).headers['cookie'] ?? '').split('=');
      await context.addCookies([{ name: cookie, value: value.join('='), url: gateway.url }]);
    },
    async letBenType() {
      await ben.send({ type: 'subscribe', sessionId });
      await ben.send({ type: 'typing', sessionId });
    },
  };
}

const invite = async (admin: RestClient, role: string, email: string): Promise<MadeLink> =>
  (await admin.request<MadeLink>('POST', '/invitations', { role, email })).body;

/** Makes a chat of several people, a question to a colleague, jobs and memories. */
async function makeThings(find: (name: PersonName) => Person): Promise<{ sessionId: string; guestLink: string }> {
  const [anna, ben, carol] = [find('anna'), find('ben'), find('carol')];
  const post = async <T>(person: Person, path: string, body: object): Promise<T> => {
    const answer = await person.request<T>('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { sessionId } = await post<{ sessionId: string }>(anna, '/runs', { input: 'plan the cellar' });
  for (const [person, role] of [
    [ben.handle, 'driver'],
    [carol.handle, 'approver'],
    ['approver', 'watcher'],
  ])
    await post(anna, `/sessions/${sessionId}/participants`, { person, role });
  await post(ben, '/runs', { input: 'and the shed', sessionId });
  await post(ben, '/runs', { input: 'ask dora' });
  const { url } = await post<{ url: string }>(anna, `/sessions/${sessionId}/shares`, { role: 'guest' });
  const schedule = { cron: '30 7 * * 1-5', timeZone: 'Europe/Berlin' };
  const job = await post<{ id: string }>(anna, '/jobs', { name: 'Garden', input: 'Water the plants and say how much.', schedule });
  await anna.request('PATCH', `/jobs/${job.id}`, { sharedWith: [ben.handle, carol.handle, 'approver'] });
  await post(anna, '/jobs', { name: 'News', input: 'Read the news.', schedule });
  const memory = await post<{ id: string }>(anna, '/memories', { text: 'The tap is behind the shed.', kind: 'fact' });
  await anna.request('PATCH', `/memories/${memory.id}`, { visibility: 'tenant' });
  await post(anna, '/memories', { text: 'I write dates as 2026-01-31.', kind: 'preference' });
  return { sessionId, guestLink: url };
}
