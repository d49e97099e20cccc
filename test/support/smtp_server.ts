/** A real SMTP server (smtp-server) on a free loopback port, which keeps the mails that it takes. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** The header as it came. */
  header: string;
  user: string | undefined;
}

export interface TestSmtpServer {
  /** The setting NETA_SMTP_URL. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Resolves with the next mail that no call has given yet. */
  next(): Promise<ReceivedMail>;
  /** Refuses the next mails with this reply code; 0: takes them. */
  refuse(code: number): void;
  stop(): Promise<void>;
}

const SMTP_USER = 'neta';
export const SMTP_PASSWORD = 'a word/with@signs';

export async function startSmtpServer(): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  let given = 0;
  let refusal = 0;
  let onMail = () => {};
  const server = new SMTPServer({
    // The server must not warn that its certificate is public: these tests send to this machine in plain text.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (username === SMTP_USER && password === SMTP_PASSWORD) done(null, { user: username });
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }));
    },
    onData(stream, { user, envelope }, done) {
      void text(stream).then(raw => {
        if (refusal !== 0) return done(Object.assign(new Error('not now'), { responseCode: refusal }));
        const { mailFrom, rcptTo } = envelope;
        mails.push({ ...decodeMail(raw), from: mailFrom ? mailFrom.address : '', to: rcptTo[0]?.address ?? '', user: String(user) });
        onMail();
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${port}`,
    mails,
    async next() {
      given += 1;
      while (mails.length < given) await new Promise<void>(resolve => (onMail = resolve));
      return mails[given - 1] as ReceivedMail;
    },
    refuse(code) {
      refusal = code;
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  };
}

/** Decodes a mail of one part. */
function decodeMail(raw: string): Pick<ReceivedMail, 'subject' | 'text' | 'header'> {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const body = raw.slice(end + 4);
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(header)?.[1] ?? '';
  const coding = field('Content-Transfer-Encoding');
  const plain = coding === 'base64' ? Buffer.from(body, 'base64').toString() : coding === 'quoted-printable' ? fromQuoted(body) : body;
  return { header, subject: decodeWords(field('Subject')), text: plain.replaceAll('\r\n', '\n') };
}

const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : fromQuoted(word.replaceAll('_', ' ')),
    );

const fromQuoted = (value: string): string =>
  Buffer.from(
    value.replaceAll(/=\r\n/g, '').replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
