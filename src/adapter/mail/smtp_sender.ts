/** Sends mails over SMTP with the library nodemailer: one connection a mail, because a gateway sends few. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { SMTPTransportOptions } from 'nodemailer';
import { MailError, type MailSender } from '../../port/mail_sender';
import { isLoopbackHost } from '../../utils/loopback_address';

const TIMEOUT_MS = 10_000;
/** The server refuses the mail for good with this reply code or a higher one (RFC 5321, 4.2.1). */
const PERMANENT = 500;

export interface SmtpOptions {
  /** The address of the server: smtp: or smtps:, with the user name and the password when the server asks for a login. */
  smtpUrl: string;
  /** Such as `Neta <neta@example.com>`. */
  from: string;
}

/** Loaded on demand: most gateways send no mail. */
const library = async () => import('nodemailer');

/** Creates the sender. Mails and passwords go over TLS, except to a server on this machine or with `?requireTLS=false`. */
export function createSmtpSender({ smtpUrl, from }: SmtpOptions): MailSender {
  const options = toTransport(new URL(smtpUrl));
  return {
    async send({ to, subject, text }) {
      const { createTransport } = await library();
      const transport = createTransport(options);
      // The limits of the library hold for one step each.
      const limit = new AbortController();
      const late = sleep(TIMEOUT_MS, undefined, { signal: limit.signal, ref: false }).then(() => {
        throw new Error(`The SMTP server did not take the mail within ${TIMEOUT_MS / 1_000} s.`);
      });
      try {
        const mail = { from, to: { name: '', address: to }, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } };
        await Promise.race([transport.sendMail(mail), late]);
      } catch (thrown) {
        const { responseCode = 0 } = thrown as { responseCode?: number };
        throw new MailError(messageOf(thrown), responseCode < PERMANENT, { cause: thrown });
      } finally {
        late.catch(() => {});
        limit.abort();
        transport.close();
      }
    },
  };
}

function toTransport({ protocol, hostname, port, username, password, searchParams }: URL): SMTPTransportOptions {
  const secure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopbackHost(hostname) && searchParams.get('requireTLS') !== 'false',
    auth: auth.user === '' ? undefined : auth,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // A text of ours names no files and no addresses to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
