/** Mails to people, through a real SMTP server; and what tells a person of an unusual sign-in. */
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, logInAs, type MadeLink, tokenOf } from '../support/people_client';
import { type PushService, startPushService } from '../support/push_service';
import { SMTP_PASSWORD, startSmtpServer, type TestSmtpServer } from '../support/smtp_server';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

const PASSWORD = 'seven green umbrellas';
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

it('mails the link of an invitation, and the link for a new password in the language of the person', async () => {
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

it('tells a person of a sign-in from a new browser by mail, on the devices of the person and by webhook, and tells no stranger', async () => {
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
  await logInAs(keys.url, 'lena@example.com', PASSWORD, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
  const mail = await smtp.next();
  expect([mail.to, mail.subject]).toEqual(['lena@example.com', 'A new sign-in to your Neta account']);
  expect(mail.text).toContain('127.0.0.1\nFirefox, Linux\n');
  expect((await phone.next()).notice).toMatchObject({ kind: 'login', title: 'A new sign-in to your account', locale: 'en' });
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
