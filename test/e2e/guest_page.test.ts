/** The page of a link for guests, in a real Chromium: a person without login writes in the chat, and sees the answer as it comes. */
import { type Gateway, startGateway } from '../support/gateway';
import { withKey } from '../support/key_bench';
import { type MockModel, startMockModel } from '../support/mock_model';
import { acceptInvitation, type MadeLink } from '../support/people_client';
import { byTestId, type ChatBrowser, COMPOSER, question, startChatBrowser, turn } from './chat_browser';

jest.setTimeout(60_000);

const KEY = 'root-secret-0123456789';

let model: MockModel;
let gateway: Gateway;
let browser: ChatBrowser;

beforeAll(async () => {
  model = await startMockModel();
  model.onTurn('tell a story', { text: 'Once there was a lighthouse.', chunkSize: 5, pauseAfter: 3 });
  model.onTurn('hello', 'Hello.');
  model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['Red', 'Blue'] } }] },
    'Thank you.',
  );
  const env = {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test',
    NETA_MODEL: 'mock-1',
    NETA_API_KEYS: `root:${KEY}::chat+approve+admin`,
    NETA_PUBLIC_SHARES: '1',
  };
  [gateway, browser] = await Promise.all([startGateway({ env }), startChatBrowser()]);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await model?.stop();
});

it('shows the chat, streams an answer, takes the answer to a question, starts no other chat, and ends with the link', async () => {
  const { body } = await withKey(gateway.url, KEY).request<MadeLink>('POST', '/invitations', { role: 'member', email: 'anna@example.com' });
  const anna = await acceptInvitation(gateway.url, body, { name: 'Anna', password: 'seven green umbrellas' });
  const { sessionId } = (await anna.request<{ sessionId: string }>('POST', '/runs', { input: 'hello' })).body;
  const { id, url } = (await anna.request<{ id: string; url: string }>('POST', `/sessions/${sessionId}/shares`, { role: 'guest' })).body;
  const { page, complaints, say } = await browser.open({ url });
  await page.waitForSelector(`${turn('completed')}:has-text("Hello.")`);
  await say('tell a story');
  await page.waitForSelector(`${turn('running')}:has-text("Once")`);
  model.resume();
  await page.waitForSelector(`${turn('completed')}:has-text("lighthouse")`);
  await say('ask me');
  await page.click(`${question('pending')} button:has-text("Blue")`);
  await page.waitForSelector(`${turn('completed')}:has-text("Thank you.")`);
  // A guest starts no chat and no branch, and rates nothing.
  for (const id of ['new-chat', 'edit-sent', 'regenerate', 'rate-up']) expect(await page.locator(byTestId(id)).count()).toBe(0);
  // A guest asks for lists that it does not get.
  expect(complaints.filter(text => !text.startsWith('Failed to load resource'))).toEqual([]);
  await anna.request('DELETE', `/shares/${id}`);
  await page.waitForSelector(`${byTestId('shared-status')}:has-text("expired or was revoked")`);
  expect(await page.locator(COMPOSER).count()).toBe(0);
});
