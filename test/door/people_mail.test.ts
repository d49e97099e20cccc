/** Mails to people, through a real SMTP server; and what tells a person of unusual sign-ins and changed ways to log in. */
import { Secret, TOTP } from 'otpauth';
import { addApp } from '../support/authenticator';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, logInAs, type MadeLink, tokenOf } from '../support/people_client';
import { type PushService, startPushService } from '../support/push_service';
import { createRestClient } from '../support/rest_client';
import { SMTP_PASSWORD, startSmtpServer, type TestSmtpServer } from '../support/smtp_server';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

const PASSWORD = 'seven green umbrellas';
const NEXT = 'four yellow bicycles';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
type MailedLink = MadeLink & { mail?: string };

let smtp: TestSmtpServer;
let push: PushService;
let receiver: WebhookReceiver;
let keys: KeyBench;

beforeAll(async () => {
  [smtp, push, receiver] = await Promise.all([startSmtpServer(), startPushService(), startWebhookReceiver()]);
  const allow = `${push.host},${new URL(receiver.url).host}`;
  const mail = { NETA_SMTP_URL: smtp.url, NETA_MAIL_FROM: 'Neta <neta@example.com>' };
  keys = await startKeyBench({ ...mail, NETA_WEBHOOK_ALLOW: allow });
});
afterAll(async () => {
  await keys?.bench.stop();
  await Promise.all([smtp?.stop(), push?.stop(), receiver?.stop()]);
});

const invite = async (fields: object) => (await keys.admin.request<MailedLink>('POST', '/invitations', fields)).body;

it('ASVS 2.5.1: mails the link of an invitation, and the link for a new password in the language of the person', async () => {
  const link = await invite({ role: 'member', email: 'Wei@example.com' });
  expect(link.mail).toBe('sent');
  const mail = await smtp.next();
  expect(mail).toMatchObject({ from: 'neta@example.com', to: 'wei@example.com', subject: 'Your invitation to Neta', user: 'neta' });
  expect(mail.text).toContain(link.url);
  expect(mail.header).toMatch(/^Auto-Submitted: auto-generated$/im);
  const wei = await acceptInvitation(keys.url, link, { name: 'Wei', password: PASSWORD }, { 'accept-language': 'zh-CN' });
  const { person } = (await wei.request<{ person: { id: string } }>('GET', '/me')).body;
  const { body } = await keys.admin.request<MailedLink>('POST', `/people/${person.id}/password-link`);
  const second = await smtp.next();
  expect([body.mail, second.to, second.subject]).toEqual(['sent', 'wei@example.com', '您的 Neta 新密码']);
  expect(second.text).toContain(body.url);
});

it('mails whom the agent asks, in the language of the person and without the text of the chat', async () => {
  const asked = { question: 'Which secret cellar?', to: '@wei' };
  keys.bench.model.onTurn('ask wei', { toolCalls: [{ name: 'clarify', arguments: asked }] }, 'Thank you.');
  const { body } = await keys.admin.request<{ runId: string }>(
    'POST',
    '/runs',
    { input: 'ask wei', clarify: 'wait' },
    { prefer: 'respond-async' },
  );
  const mail = await smtp.next();
  expect([mail.to, mail.subject]).toEqual(['wei@example.com', 'Neta 在询问您']);
  expect(mail.text).toContain('由 root 引起');
  expect(mail.text).not.toContain('cellar');
  await keys.admin.request('POST', `/runs/${body.runId}/cancel`);
});

it('mails nothing for a link without an address, and says when the server refuses a mail, without a secret in the log', async () => {
  const before = smtp.mails.length;
  expect((await invite({ role: 'member' })).mail).toBeUndefined();
  smtp.refuse(550);
  const refused = await invite({ role: 'member', email: 'eve@example.com' });
  smtp.refuse(0);
  expect([refused.mail, smtp.mails.length]).toEqual(['failed', before]);
  expect(keys.bench.gateway.output()).toContain('a mail could not be sent');
  for (const hidden of [SMTP_PASSWORD, encodeURIComponent(SMTP_PASSWORD), tokenOf(refused), 'eve@example.com'])
    expect(keys.bench.gateway.output()).not.toContain(hidden);
});

it('ASVS 2.2.3: tells a person of a sign-in from a new browser by mail, on the devices of the person and by webhook, and tells no stranger', async () => {
  const join = async (name: string) => {
    const link = await invite({ role: 'member', email: `${name}@example.com` });
    await smtp.next();
    return acceptInvitation(keys.url, link, { name, password: PASSWORD });
  };
  const [lena, ben] = [await join('lena'), await join('ben')];
  const [phone, other] = [push.subscribe(), push.subscribe()];
  await lena.request('POST', '/push-subscriptions', phone.subscription);
  await ben.request('POST', '/push-subscriptions', other.subscription);
  const hookOf = async (client: Pick<typeof lena, 'request'>) =>
    (await client.request<{ id: string }>('POST', '/webhooks', { url: receiver.url, events: ['login.unusual'] })).body.id;
  const hooks = [await hookOf(keys.admin), await hookOf(lena), await hookOf(ben)];
  await logInAs(keys.url, 'lena@example.com', PASSWORD);
  await logInAs(keys.url, 'lena@example.com', PASSWORD, { 'user-agent': AGENT });
  const mail = await smtp.next();
  expect([mail.to, mail.subject]).toEqual(['lena@example.com', 'Your Neta account was opened from a new network or browser']);
  expect(mail.text).toContain('127.0.0.1\nFirefox, Linux\n');
  expect((await phone.next()).notice).toMatchObject({ kind: 'login', title: mail.subject, locale: 'en' });
  const data = { person: '@lena', way: 'password', address: '127.0.0.1', client: 'Firefox, Linux', at: expect.any(String) };
  for (let i = 0; i < 2; i += 1) expect(JSON.parse((await receiver.next()).body)).toMatchObject({ type: 'login.unusual', data });
  const sent = await Promise.all(
    hooks.map(async (id, i) => {
      const client = [keys.admin, lena, ben][i] ?? keys.admin;
      return (await client.request<{ data: object[] }>('GET', `/webhooks/${id}/deliveries`)).body.data.length;
    }),
  );
  expect([sent, other.received.length, smtp.mails.filter(({ to }) => to === 'ben@example.com').length]).toEqual([[1, 1, 0], 0, 1]);
});

it('ASVS 2.8.5: tells a person of a code that comes a second time behind the right password, and of no wrong one', async () => {
  const link = await invite({ role: 'member', email: 'sam@example.com' });
  await smtp.next();
  const sam = await acceptInvitation(keys.url, link, { name: 'Sam', password: PASSWORD });
  const { code } = await addApp(sam);
  await smtp.next();
  const now = code();
  const logIn = async (shown: string) =>
    (await createRestClient(keys.url).request('POST', '/login', { email: 'sam@example.com', password: PASSWORD, code: shown })).status;
  expect([await logIn('000000'), await logIn(now), await logIn(now)]).toEqual([401, 200, 401]);
  const mail = await smtp.next();
  expect([mail.to, mail.subject]).toEqual(['sam@example.com', 'A code of your authenticator app was used a second time, and refused']);
  const { body } = await keys.admin.request<{ data: { target: string }[] }>('GET', '/audit?action=factor.reuse');
  expect(body.data).toMatchObject([{ actor: '@sam', target: '@sam' }]);
});

it('ASVS 2.2.3, 2.5.5: tells a person of a new password and of each change of the authenticator app, by whomever, and names what to do', async () => {
  const link = await invite({ role: 'member', email: 'yu@example.com' });
  await smtp.next();
  const browser = { 'accept-language': 'zh-CN', 'user-agent': AGENT };
  const yu = await acceptInvitation(keys.url, link, { name: 'Yu', password: PASSWORD }, browser);
  const asYu: typeof yu.request = (method, path, body) => yu.request(method, path, body, browser);
  const phone = push.subscribe();
  await asYu('POST', '/push-subscriptions', phone.subscription);
  await asYu('POST', '/webhooks', { url: receiver.url, events: ['login.changed'] });
  const { person } = (await asYu<{ person: { id: string } }>('GET', '/me')).body;
  const told = async () => {
    const [mail, { notice }, hook] = [await smtp.next(), await phone.next(), await receiver.next()];
    expect([mail.to, mail.subject]).toEqual(['yu@example.com', notice.title]);
    expect(mail.text).toContain('如果不是，请打开“设置 → 你的登录方式”');
    expect(notice).toMatchObject({ kind: 'login', locale: 'zh-CN', body: expect.stringContaining('更改密码') });
    const { type, data } = JSON.parse(hook.body) as { type: string; data: object };
    return { subject: mail.subject, text: mail.text, type, data };
  };
  const from = { address: '127.0.0.1', client: 'Firefox, Linux' };
  expect((await asYu('POST', '/me/password', { current: PASSWORD, password: NEXT })).status).toBe(204);
  const changed = await told();
  expect(changed).toMatchObject({
    subject: '您的 Neta 账户的密码已更改',
    type: 'login.changed',
    data: { change: 'password_changed', ...from },
  });
  expect(changed.text).toContain('127.0.0.1\nFirefox, Linux\n');
  expect(changed.text).not.toContain('bicycles');
  const addApp = async () => {
    const { body } = await asYu<{ secret: string }>('POST', '/me/totp', {});
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) });
    return (await asYu<{ recoveryCodes: string[] }>('POST', '/me/totp/confirm', { code: totp.generate() })).body.recoveryCodes;
  };
  const [code] = await addApp();
  expect(await told()).toMatchObject({ data: { person: '@yu', change: 'authenticator_added', ...from } });
  await asYu('POST', '/me/totp/remove', { code });
  expect(await told()).toMatchObject({ data: { change: 'authenticator_removed', ...from } });
  await addApp();
  await told();
  await keys.admin.request('DELETE', `/people/${person.id}/totp`);
  const byAdmin = await told();
  expect([byAdmin.data, byAdmin.text]).toEqual([
    { person: '@yu', at: expect.any(String), change: 'authenticator_removed', by: 'root' },
    expect.stringContaining('操作者 root\n'),
  ]);
  const { body } = await keys.admin.request<MailedLink>('POST', `/people/${person.id}/password-link`);
  await smtp.next();
  await acceptInvitation(keys.url, body, { password: PASSWORD }, browser);
  expect(await told()).toMatchObject({ data: { change: 'password_changed', ...from } });
});
