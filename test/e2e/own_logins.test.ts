/** Passwords, passkeys and authenticator apps in a real Chromium, whose virtual authenticator answers as a device does. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { createAgentConfig } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { logInAs } from '../support/people_client';
import { createRestClient } from '../support/rest_client';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp_server';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser } from './chat_browser';
import { findBarriers } from './ops_browser';

const PASSWORD = 'seven green umbrellas';
const NEXT = 'four yellow bicycles';
const EMAIL = 'lei@example.com';

let gateway: Gateway;
let browser: ChatBrowser;
let smtp: TestSmtpServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  const env = { NETA_SMTP_URL: smtp.url, NETA_MAIL_FROM: 'Neta <neta@example.com>' };
  [gateway, browser] = await Promise.all([startGateway({ env }), startChatBrowser()]);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await smtp?.stop();
});

it('ASVS 2.2.3, 2.3.2, 2.5.5: adds a passkey and logs in with it alone, the answer of the device counts once, and a mail tells of each change', async () => {
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
  await smtp.next();
  const added = await smtp.next();
  expect([added.to, added.subject]).toEqual([EMAIL, 'A passkey was added to your Neta account']);
  expect(added.text).toMatch(/:\n\nChrome, Linux\n.*\n(?:127\.0\.0\.1|::1)\nChrome, Linux\n\nIf you or your admin/);
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
  expect((await smtp.next()).subject).toBe('A passkey of your Neta account was removed');
});

it('ASVS 2.1.8, 2.1.11, 2.1.12: changes the password, and says at each field what is needed and how strong the new one is', async () => {
  const elsewhere = await logInAs(gateway.url, EMAIL, PASSWORD);
  const { page, context } = await browser.open({ url: gateway.url });
  await page.fill(byTestId('login-email'), EMAIL);
  await page.fill(byTestId('login-password'), PASSWORD);
  await page.click(byTestId('log-in'));
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.goto(`${gateway.url}/?view=settings`);
  await page.click(byTestId('change-password'));
  const [current, next, hint] = [
    byTestId('login-current-password'),
    byTestId('login-new-password'),
    byTestId('login-new-password-hint'),
  ] as const;
  const field = (selector: string) => page.locator(selector);
  expect(await field(current).getAttribute('autocomplete')).toBe('current-password');
  expect(await field(next).getAttribute('autocomplete')).toBe('new-password');
  const hints: (string | null)[] = [];
  for (const text of ['short', 'password1234', NEXT]) {
    await field(next).fill(text);
    hints.push(await field(hint).textContent());
  }
  // A paste that is too long is not cut.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(text => navigator.clipboard.writeText(text), 'a1b2c3'.repeat(40));
  await field(next).fill('');
  await field(next).focus();
  await page.keyboard.press('Control+V');
  await page.waitForFunction(selector => document.querySelector(selector)?.textContent?.startsWith('Too long'), hint);
  expect(hints).toEqual([
    'Too short: 7 more characters.',
    'Easy to guess. Choose words that nobody connects with you.',
    'Fine: long enough, and not easy to guess.',
  ]);
  await page.click(byTestId('show-password'));
  expect(await field(next).getAttribute('type')).toBe('text');
  await field(next).fill(NEXT);
  await field(current).fill('not this password');
  await page.click(byTestId('save-password'));
  expect(await page.textContent(byTestId('login-current-password-problem'))).toBe('This is not your current password.');
  expect(await findBarriers(page)).toEqual([]);
  await field(current).fill(PASSWORD);
  await page.click(byTestId('save-password'));
  await page.waitForSelector(byTestId('password-changed'));
  expect((await elsewhere.request('GET', '/me')).status).toBe(401);
  await page.reload();
  await page.waitForSelector(byTestId('change-password'));
});

it('adds an authenticator app, and asks for its code at the next login', async () => {
  const { page } = await browser.open({ url: gateway.url });
  const logIn = async () => {
    await page.fill(byTestId('login-email'), EMAIL);
    await page.fill(byTestId('login-password'), NEXT);
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

it('ASVS 4.3.1: asks the first operator for an authenticator app as soon as login.yaml does, and goes on with it', async () => {
  const config = await createAgentConfig(['base']);
  const own = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
  try {
    const { body } = await createRestClient(own.url).request<{ url: string }>('POST', '/invitations', { role: 'operator', email: EMAIL });
    const { page, focusReaches } = await browser.open({ url: body.url });
    await page.fill(byTestId('login-name'), 'Li Lei');
    await page.fill(byTestId('login-password'), PASSWORD);
    await page.click(byTestId('accept-invitation'));
    await page.waitForSelector(byTestId('account'));
    await writeFile(join(config.directory, 'login.yaml'), 'requireSecondFactor: [operator]\n');
    await page.waitForSelector(`${byTestId('second-factor-card')}:has-text("Add an authenticator app to go on")`);
    await page.goto(`${own.url}/ops`);
    await focusReaches('add-totp');
    expect(await page.locator(byTestId('ops-refused')).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.click(byTestId('add-totp'));
    const totp = new TOTP({ secret: Secret.fromBase32((await page.textContent(byTestId('totp-secret'))) ?? '') });
    await page.fill(byTestId('login-code'), totp.generate());
    await page.click(byTestId('confirm-totp'));
    await page.waitForSelector(byTestId('recovery-codes'));
    expect(await findBarriers(page)).toEqual([]);
    await page.click(byTestId('go-on'));
    await page.waitForSelector(`.ops-main ${byTestId('screen-overview')}`);
    expect(await page.isVisible(byTestId('second-factor-card'))).toBe(false);
  } finally {
    await own.stop();
    await config.remove();
  }
});
