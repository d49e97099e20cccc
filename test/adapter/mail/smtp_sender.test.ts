import { createSmtpSender } from '../../../src/adapter/mail/smtp_sender';
import { startSmtpServer } from '../../support/smtp_server';

it('ASVS 2.5.1: sends nothing in plain text to another machine, unless the setting allows it', async () => {
  const server = await startSmtpServer();
  try {
    // This address leads to this machine, and the sender does not know it as such.
    const smtpUrl = server.url.replace('127.0.0.1', '0.0.0.0');
    const mail = { to: 'anna@example.com', subject: 'Hello', text: 'A link' };
    await expect(createSmtpSender({ smtpUrl, from: 'neta@example.com' }).send(mail)).rejects.toThrow();
    expect(server.mails).toEqual([]);
    await createSmtpSender({ smtpUrl: `${smtpUrl}?requireTLS=false`, from: 'neta@example.com' }).send(mail);
    expect(server.mails).toMatchObject([{ to: 'anna@example.com' }]);
  } finally {
    await server.stop();
  }
});
