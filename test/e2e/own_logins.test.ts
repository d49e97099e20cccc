/** Passkeys and authenticator apps in a real Chromium, whose virtual authenticator answers as a device does. */
import { Secret, TOTP } from 'otpauth';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser } from './chat_browser';
import { findBarriers } from './ops_browser';

const PASSWORD = 'seven green umbrellas';
const EMAIL = 'lei@example.com';

let gateway: Gateway;
let browser: ChatBrowser;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway(), startChatBrowser()]);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
});

it('adds a passkey and logs in with it alone, and the answer of the device counts once', async () => {
  // Browsers make passkeys for names, not for IP addresses.
  const url = gateway.url.replace('127.0.0.1', 'localhost');
  const { body } = await createRestClient(url).request<{ url: string }>('POST', '/invitations', { role: 'operator', email: EMAIL });
  const { page, context } = await browser.open({ url: body.url });
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  await page.fill(byTestId('login-name'), 'Li Lei');
  await page.fill(byTestId('login-password'), PASSWORD);
  await page.click(byTestId('accept-invitation'));
  await page.waitForSelector(byTestId('account'));
  await page.goto(`${url}/?view=settings`);
  await page.click(byTestId('add-passkey'));
  await page.waitForSelector(byTestId('passkey'));
  expect(await findBarriers(page)).toEqual([]);

  await page.click(`${byTestId('account')} summary`);
  await page.click(byTestId('log-out'));
  const sent = page.waitForRequest(request => request.url().endsWith('/login/passkey'));
  await page.click(byTestId('use-passkey'));
  const shown = (await sent).postDataJSON() as { step: string; response: { response: { clientDataJSON: string } } };
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  const replay = (more: object) => createRestClient(url).request('POST', '/login/passkey', { ...shown, ...more });
  expect((await replay({})).status).toBe(401);
  const fresh = await createRestClient(url).request<{ step: string }>('POST', '/login/passkey/options', {});
  expect((await replay({ step: fresh.body.step })).status).toBe(401);
  // The same device at another name of the gateway.
  expect((await createRestClient(gateway.url).request('POST', '/login/passkey', shown)).status).toBe(401);

  // A removed passkey lets nobody in.
  await page.goto(`${url}/?view=settings`);
  await page.click(byTestId('remove-passkey'));
  await page.waitForSelector(byTestId('passkey'), { state: 'detached' });
});

it('adds an authenticator app, and asks for its code at the next login', async () => {
  const { page } = await browser.open({ url: gateway.url });
  const logIn = async () => {
    await page.fill(byTestId('login-email'), EMAIL);
    await page.fill(byTestId('login-password'), PASSWORD);
    await page.click(byTestId('log-in'));
  };
  await page.waitForSelector(byTestId('login-email'));
  await logIn();
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.goto(`${gateway.url}/?view=settings`);
  await page.click(byTestId('add-totp'));
  const secret = (await page.textContent(byTestId('totp-secret'))) ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeAt = (offset: number) => totp.generate({ timestamp: Date.now() + offset });
  await page.fill(byTestId('login-code'), codeAt(-30_000));
  await page.click(byTestId('confirm-totp'));
  await page.waitForSelector(byTestId('recovery-codes'));
  expect(await findBarriers(page)).toEqual([]);
  await page.click(`${byTestId('account')} summary`);
  await page.click(byTestId('log-out'));
  await page.waitForSelector(byTestId('login-email'));
  await logIn();
  await page.waitForSelector(byTestId('login-code'));
  await page.fill(byTestId('login-code'), codeAt(0));
  await page.click(byTestId('log-in'));
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.waitForSelector(COMPOSER, { state: 'attached' });
});
