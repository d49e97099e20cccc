/** People in a real Chromium: an invitation becomes an account, and a password or a login provider a login. */
import { type Gateway, startGateway } from '../support/gateway';
import { createMcpConfig, type McpConfig } from '../support/mcp_servers';
import { CLIENT_SECRET, startOidcProvider, type TestProvider, writeLoginFile } from '../support/oidc_provider';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser } from './chat_browser';
import { findBarriers } from './ops_browser';

const PASSWORD = 'seven green umbrellas';
const PROBLEM = byTestId('login-problem');

let gateway: Gateway;
let browser: ChatBrowser;
let config: McpConfig;
let provider: TestProvider;

beforeAll(async () => {
  [config, provider, browser] = await Promise.all([createMcpConfig({}), startOidcProvider(), startChatBrowser()]);
  await writeLoginFile(config.directory, provider, [{ id: 'staff', name: 'the staff directory', groups: { staff: 'member' } }]);
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory, OIDC_SECRET: CLIENT_SECRET } });
  await provider.serve(gateway.url, ['staff']);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await Promise.all([provider?.stop(), config?.remove()]);
});

it('makes the first account in the settings, logs out, and logs in with e-mail and password', async () => {
  const { page } = await browser.open({ url: `${gateway.url}/?view=settings` });
  await page.waitForSelector(`${byTestId('first-account')}:has-text("locks the gateway")`);
  expect(await findBarriers(page)).toEqual([]);
  await page.fill(byTestId('login-first-email'), 'lei@example.com');
  await page.press(byTestId('login-first-email'), 'Enter');
  await page.waitForSelector(byTestId('accept-invitation'));
  const link = page.url();
  expect(await page.inputValue(byTestId('login-email'))).toBe('lei@example.com');
  expect(await findBarriers(page)).toEqual([]);
  await page.fill(byTestId('login-name'), 'Li Lei');
  await page.fill(byTestId('login-password'), 'too short');
  await page.click(byTestId('accept-invitation'));
  await page.waitForSelector(`${PROBLEM}:has-text("Must have at least 12")`);
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

  // The open page takes up a link that is pasted over its address. The link works once.
  await page.goto(link);
  await page.waitForSelector(byTestId('leave-invitation'));
  await page.click(byTestId('leave-invitation'));
  await page.waitForSelector(`${byTestId('account')}:has-text("Li Lei")`);

  // Whoever is logged in leaves a link that works, too, by Back or by the button.
  const post = (path: string, body: object) =>
    page.evaluate(
      async ([to, content]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`api/v1/${to}`, { method: 'POST', headers, body: JSON.stringify(content) })).json();
      },
      [path, body] as const,
    );
  const { url } = (await post('invitations', { role: 'member' })) as { url: string };
  const open = async () => {
    await page.goto(url);
    await page.waitForSelector(byTestId('accept-invitation'));
  };
  await open();
  expect(await findBarriers(page)).toEqual([]);
  await page.goBack();
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await open();
  await page.click(byTestId('leave-invitation'));
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.waitForSelector(`${byTestId('account')}:has-text("Li Lei")`);

  // An hour's wait is said in minutes, with the gateway's advice, and holds for this account alone.
  await page.click(`${byTestId('account')} summary`);
  await page.click(byTestId('log-out'));
  await page.waitForSelector(byTestId('login-email'));
  for (let i = 0; i < 10; i++) await post('login', { email: 'lei@example.com', password: 'a wrong guess' });
  await page.fill(byTestId('login-email'), 'lei@example.com');
  await page.fill(byTestId('login-password'), PASSWORD);
  await page.click(byTestId('log-in'));
  await page.waitForSelector(`${byTestId('login-wait')}:has-text("Try again in 60 minutes.")`);
  expect(await page.textContent(PROBLEM)).toContain('or log in in another way');
  expect(await page.getAttribute(byTestId('log-in'), 'aria-disabled')).toBe('true');
  expect(await findBarriers(page)).toEqual([]);
  await page.fill(byTestId('login-email'), 'mei@example.com');
  await page.waitForSelector(byTestId('login-wait'), { state: 'detached' });
  expect(await page.textContent(PROBLEM)).toBe('');
  await page.click(byTestId('log-in'));
  await page.waitForSelector(`${PROBLEM}:has-text("wrong")`);
});

it('logs in at a provider and comes back to the page, and the provider refuses a person without a group', async () => {
  const { page } = await browser.open({ url: `${gateway.url}/?view=memories` });
  await page.waitForSelector(byTestId('provider-staff'));
  expect(await page.textContent(byTestId('provider-staff'))).toContain('the staff directory');
  expect(await findBarriers(page)).toEqual([]);
  await provider.use({ sub: '7', name: 'Han Meimei', groups: [] });
  await page.click(byTestId('provider-staff'));
  await page.waitForSelector(`${byTestId('login-refused')}:has-text("groups")`);
  await page.click('a.primary');
  await provider.use({ sub: '7', name: 'Han Meimei', groups: ['staff'] });
  await page.goto(`${gateway.url}/?view=memories`);
  await page.click(byTestId('provider-staff'));

  await page.waitForSelector(`${byTestId('account')}:has-text("Han Meimei")`);
  expect(new URL(page.url()).search).toBe('?view=memories');
});

it('links a login provider in the settings, logs in there, and takes it away', async () => {
  const { page } = await browser.open({ url: gateway.url });
  await page.fill(byTestId('login-email'), 'lei@example.com');
  await page.fill(byTestId('login-password'), PASSWORD);
  await page.click(byTestId('log-in'));
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.goto(`${gateway.url}/?view=settings`);
  await provider.use({ sub: '9', name: 'Lei at work', groups: [] });
  await page.click(byTestId('link-staff'));
  await page.waitForSelector(`${byTestId('own-provider-staff')}[data-linked="true"]:has-text("the staff directory")`);
  expect(new URL(page.url()).search).toBe('?view=settings');
  expect(await findBarriers(page)).toEqual([]);
  await page.click(`${byTestId('account')} summary`);
  await page.click(byTestId('log-out'));
  await page.click(byTestId('provider-staff'));
  await page.waitForSelector(`${byTestId('account')}:has-text("Li Lei")`);
  await page.goto(`${gateway.url}/?view=settings`);
  await page.click(byTestId('unlink-staff'));
  await page.waitForSelector(`${byTestId('own-provider-staff')}[data-linked="false"]`);
});
