/** People in a real Chromium: an invitation becomes an account, and a password a login. */
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser } from './chat_browser';
import { findBarriers } from './ops_browser';

const PASSWORD = 'seven green umbrellas';
const PROBLEM = byTestId('login-problem');

let gateway: Gateway;
let browser: ChatBrowser;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway(), startChatBrowser()]);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
});

it('makes the first account by a link, logs out, and logs in with e-mail and password', async () => {
  const { body } = await createRestClient(gateway.url).request<{ url: string }>('POST', '/invitations', {
    role: 'operator',
    email: 'lei@example.com',
  });
  const { page } = await browser.open({ url: body.url });
  await page.waitForSelector(byTestId('accept-invitation'));
  expect(await page.inputValue(byTestId('login-email'))).toBe('lei@example.com');
  expect(await findBarriers(page)).toEqual([]);
  await page.fill(byTestId('login-name'), 'Li Lei');
  await page.fill(byTestId('login-password'), 'too short');
  await page.click(byTestId('accept-invitation'));
  await page.waitForSelector(`${PROBLEM}:has-text("12")`);
  await page.fill(byTestId('login-password'), PASSWORD);
  await page.click(byTestId('accept-invitation'));
  await page.waitForSelector(`${byTestId('account')}:has-text("Li Lei")`);
  expect(page.url()).not.toContain('invitation');

  await page.click(`${byTestId('account')} summary`);
  await page.click(byTestId('log-out'));
  await page.waitForSelector(byTestId('login-email'));
  expect(await findBarriers(page)).toEqual([]);
  await page.fill(byTestId('login-email'), 'lei@example.com');
  await page.fill(byTestId('login-password'), 'not this password');
  await page.click(byTestId('log-in'));
  await page.waitForSelector(`${PROBLEM}:has-text("wrong")`);
  await page.click(byTestId('other-way'));
  await page.waitForSelector(byTestId('login-key'));
  await page.click(byTestId('other-way'));
  await page.fill(byTestId('login-email'), 'lei@example.com');
  await page.fill(byTestId('login-password'), PASSWORD);
  await page.click(byTestId('log-in'));
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.waitForSelector(COMPOSER);

  // The link works once.
  await page.goto('about:blank');
  await page.goto(body.url);
  await page.waitForSelector(byTestId('leave-invitation'));
  await page.click(byTestId('leave-invitation'));
  await page.waitForSelector(`${byTestId('account')}:has-text("Li Lei")`);
});
