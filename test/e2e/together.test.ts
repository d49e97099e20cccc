/** Two people in two browsers work in one chat, and a third is refused. */
import { io } from 'socket.io-client';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { type MadeLink, tokenOf } from '../support/people_client';
import { approval, byTestId, type ChatBrowser, COMPOSER, type OpenPage, startChatBrowser, turn } from './chat_browser';
import { findBarriers } from './ops_browser';

const PASSWORD = 'seven green umbrellas';
const AUTHOR = byTestId('message-author');
const rowOf = (handle: string) => byTestId('person-row', `[data-person="${handle}"]`);

let keys: KeyBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [keys, browser] = await Promise.all([startKeyBench(), startChatBrowser()]);
  const { model } = keys.bench;
  model.onTurn('read the keys', { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] }, 'The keys are read.');
  model.onTurn('and the locks', 'The locks are green.');
  model.onTurn('and the cellars', { text: 'The cellars are long.', chunkSize: 4, pauseAfter: 2 });
  const asked = { question: 'Which cellar?', choices: ['red', 'green'], to: '@dora' };
  model.onTurn('ask dora', { toolCalls: [{ name: 'clarify', arguments: asked }] }, ({ toolResults }) => `Heard: ${toolResults.at(-1)}`);
});
afterAll(async () => {
  await browser?.stop();
  await keys?.bench.stop();
});

/** Makes an account, logs in with it in a browser of its own, and opens a page of the gateway. */
async function enter(name: string, path = ''): Promise<OpenPage> {
  const { url, admin } = keys;
  const { body } = await admin.request<MadeLink>('POST', '/invitations', { role: 'member', email: `${name}@example.com` });
  const opened = await browser.open({ url });
  const accepted = await opened.context.request.post(`${url}/api/v1/invitations/${tokenOf(body)}`, {
    data: { name, password: PASSWORD },
    headers: { origin: url },
  });
  expect(accepted.status()).toBe(200);
  await opened.page.goto(url + path);
  await opened.page.waitForSelector(byTestId('account'));
  return opened;
}

/** Resolves with the error of a subscription over the socket under the cookie of the page. */
async function subscribe({ context }: OpenPage, sessionId: string): Promise<string | undefined> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const socket = io(keys.url, { transports: ['websocket'], extraHeaders: { cookie, origin: keys.url }, forceNew: true });
  const { error } = await socket.timeout(5_000).emitWithAck('message', { type: 'subscribe', sessionId });
  socket.disconnect();
  return error?.code;
}

const openPeople = async ({ page }: OpenPage) => {
  await page.click(byTestId('open-people'));
  await page.waitForSelector(byTestId('people-dialog'));
};
const closePeople = async ({ page }: OpenPage) => {
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('people-dialog'), { state: 'detached' });
};

async function addApprover({ page }: OpenPage, name: string): Promise<void> {
  await page.fill(byTestId('add-person'), name);
  await page.selectOption(byTestId('add-part'), 'approver');
  await page.click(byTestId('add-submit'));
  await page.waitForSelector(rowOf(`@${name.toLowerCase()}`));
}

it('[R] a driver and an approver work in one run, see each other, hand over, and a third is refused', async () => {
  const anna = await enter('Anna');
  await anna.say('read the keys');
  await anna.page.waitForSelector(approval('pending'));
  const { search } = new URL(anna.page.url());
  const sessionId = new URLSearchParams(search).get('session') ?? '';
  const ben = await enter('Ben', `/${search}`);
  await ben.page.waitForSelector(`${byTestId('session-missing')}:has-text("not shared with you")`);

  await openPeople(anna);
  await addApprover(anna, 'Ben');
  expect(await anna.page.inputValue(byTestId('chat-visibility'))).toBe('shared');
  expect(await findBarriers(anna.page)).toEqual([]);
  await closePeople(anna);
  await anna.page.waitForSelector(byTestId('shared-mark', '[data-visibility="shared"]'));

  // An approver decides and does not write.
  await ben.page.reload();
  await ben.page.waitForSelector(approval('pending'));
  await ben.page.waitForSelector(byTestId('cannot-write'));
  expect(await ben.page.isDisabled(COMPOSER)).toBe(true);
  expect(await ben.page.locator(byTestId('stop')).count()).toBe(0);
  expect(await ben.page.textContent(AUTHOR)).toContain('Anna');
  expect(await ben.page.getAttribute(byTestId('shared-mark'), 'title')).toBe('A chat of Anna');
  await anna.page.waitForSelector(byTestId('open-people', '[aria-label$="Here now: Ben"]'));

  const carol = await enter('Carol', `/${search}`);
  await carol.page.waitForSelector(`${byTestId('session-missing')}:has-text("not shared with you")`);
  expect(await carol.page.locator(byTestId('session-row')).count()).toBe(0);
  expect(await subscribe(carol, sessionId)).toBe('not_found');
  expect(await subscribe(ben, sessionId)).toBeUndefined();

  // The reason of an approver counts as typing.
  await ben.page.click(byTestId('approval-deny'));
  await ben.page.fill(byTestId('approval-text'), 'because');
  await anna.page.waitForSelector(`${byTestId('typing-line')}:has-text("Ben is typing")`);
  await ben.page.keyboard.press('Escape');
  await ben.page.click(byTestId('approval-once'));
  await anna.page.waitForSelector(`${byTestId('approval-outcome')}:has-text("by Ben")`);
  await anna.page.waitForSelector(turn('completed'));

  // The part of an open page changes at once.
  await openPeople(anna);
  await anna.page.click(byTestId('hand-over'));
  await ben.page.waitForSelector(`${COMPOSER}:enabled`);
  await closePeople(anna);
  await ben.page.fill(COMPOSER, 'and the');
  await anna.page.waitForSelector(`${byTestId('typing-line')}:has-text("Ben is typing")`);
  await ben.say('and the locks');
  await anna.page.waitForSelector(`${byTestId('answer')}:has-text("The locks are green.")`);
  await ben.say('and the cellars');
  await ben.page.click(byTestId('stop'));
  await ben.page.waitForSelector(`${byTestId('run-cancelled')}:text-is("Stopped")`);
  const stoppedByBen = `${byTestId('run-cancelled')}:text-is("Ben stopped this")`;
  await anna.page.waitForSelector(stoppedByBen);
  await anna.page.reload();
  await anna.page.waitForSelector(`${AUTHOR}:has-text("Ben")`);
  await anna.page.waitForSelector(stoppedByBen);

  // A driver hands over with one request, and watches from then on.
  await openPeople(ben);
  await addApprover(ben, 'Carol');
  const posts: string[] = [];
  ben.page.on('request', request => void (request.method() === 'POST' && posts.push(request.url())));
  await ben.page.click(`${rowOf('@carol')} ${byTestId('hand-over')}`);
  await ben.page.waitForSelector(byTestId('cannot-write'));
  expect(await ben.page.isDisabled(COMPOSER)).toBe(true);
  expect(posts).toEqual([`${keys.url}/api/v1/sessions/${sessionId}/participants`]);
  await closePeople(ben);

  await openPeople(anna);
  await anna.page.click(`${rowOf('@ben')} ${byTestId('remove-person')}`);
  await ben.page.waitForSelector(`${byTestId('session-missing')}:has-text("no longer shared with you")`);
  expect(await ben.page.locator(byTestId('session-row')).count()).toBe(0);
  expect([anna, carol].flatMap(({ complaints }) => complaints.filter(text => !/status of 40[14]/.test(text)))).toEqual([]);
});

it('[R] somebody whom the agent asks answers above the own chat, and does not see the chat that asks', async () => {
  const dora = await enter('Dora');
  const gina = await enter('Gina');
  await gina.say('ask dora');
  await gina.page.waitForSelector(`${byTestId('clarify-asked')}:has-text("@dora")`);
  const request = byTestId('asked-question');
  await dora.page.waitForSelector(`${request}:has-text("Asked for @gina"):has-text("Which cellar?")`);
  expect(await findBarriers(dora.page)).toEqual([]);
  await dora.page.click(`${request} button:has-text("green")`);
  await dora.page.waitForSelector(request, { state: 'detached' });
  await gina.page.waitForSelector(`${byTestId('answer')}:has-text("@dora answered")`);
});

it('[R] a person shares a job and a memory, and whoever sees them only reads', async () => {
  const hana = await enter('Hana');
  const post = async (path: string, data: object) =>
    expect((await hana.context.request.post(`${keys.url}/api/v1${path}`, { data, headers: { origin: keys.url } })).status()).toBe(201);
  await post('/jobs', { name: 'Garden', input: 'water the plants', schedule: { everyMs: 86_400_000 } });
  await post('/memories', { text: 'The tap is behind the shed.' });
  const iva = await enter('Iva', '/?view=jobs');
  await iva.page.waitForSelector('text=There are no jobs yet.');

  await hana.page.goto(`${keys.url}/?view=jobs`);
  await hana.page.waitForSelector(`${byTestId('seen-by')}:has-text("Only you")`);
  await hana.page.click(byTestId('open-sharing'));
  await hana.page.selectOption(byTestId('thing-visibility'), 'shared');
  await hana.page.fill(byTestId('sharing-person'), 'Nobody');
  await hana.page.click(byTestId('sharing-add'));
  await hana.page.waitForSelector(`${byTestId('sharing-problem')}:has-text("There is no person")`);
  await hana.page.fill(byTestId('sharing-person'), 'iva');
  await hana.page.click(byTestId('sharing-add'));
  await hana.page.waitForSelector(`${byTestId('sharing-member', '[data-member="@iva"]')}:has-text("Iva")`);
  expect(await findBarriers(hana.page)).toEqual([]);
  const job = byTestId('job');
  await iva.page.reload();
  await iva.page.waitForSelector(`${job} ${byTestId('belongs-to')}:has-text("Belongs to Hana")`);
  expect(await iva.page.locator(`${job} button`).allInnerTexts()).toEqual(['Runs']);

  await hana.page.goto(`${keys.url}/?view=memory`);
  await hana.page.click(byTestId('open-sharing'));
  await hana.page.selectOption(byTestId('thing-visibility'), 'tenant');
  await hana.page.waitForSelector(`${byTestId('seen-by')}:has-text("Everybody")`);
  await iva.page.goto(`${keys.url}/?view=memory`);
  await iva.page.waitForSelector(`${byTestId('memory')} ${byTestId('belongs-to')}`);
  expect(await iva.page.locator(byTestId('edit-memory')).count()).toBe(0);
});
