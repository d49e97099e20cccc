/** Mails to people, through a real SMTP server. */
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, type MadeLink, tokenOf } from '../support/people_client';
import { SMTP_PASSWORD, startSmtpServer, type TestSmtpServer } from '../support/smtp_server';

const PASSWORD = 'seven green umbrellas';
type MailedLink = MadeLink & { mail?: string };

let smtp: TestSmtpServer;
let keys: KeyBench;

beforeAll(async () => {
  smtp = await startSmtpServer();
  keys = await startKeyBench({ NETA_SMTP_URL: smtp.url, NETA_MAIL_FROM: 'Neta <neta@example.com>' });
});
afterAll(async () => {
  await keys?.bench.stop();
  await smtp?.stop();
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
