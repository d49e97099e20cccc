/** Mails in the language of a person, and tries in the background. */
import { type Mail, MailError } from '../../../src/port/mail_sender';
import { Mailer } from '../../../src/service/mail/mailer';
import { createManualClock } from '../../support/manual_clock';

const TEXTS = { subject: { en: 'Hello', 'zh-CN': '你好' }, text: { en: 'A text', 'zh-CN': '文本' } };
const WEI = { email: 'wei@example.com', locale: 'zh-CN' as const };

/** A sender that fails with these errors, one after the other, and then takes mails. */
function createBench(failures: Error[]) {
  const clock = createManualClock();
  const taken: Mail[] = [];
  const errors: unknown[] = [];
  let tries = 0;
  const sender = {
    async send(mail: Mail) {
      tries += 1;
      const failure = failures.shift();
      if (failure) throw failure;
      taken.push(mail);
    },
  };
  const mailer = new Mailer({ sender, clock, onError: (_, error) => errors.push(error) });
  const settle = () => new Promise(resolve => setImmediate(resolve));
  return { mailer, clock, taken, errors, settle, tries: () => tries };
}

it('tries again in the background after a failure that may pass, and not after a refusal', async () => {
  const { mailer, clock, taken, errors, settle, tries } = createBench([new MailError('not now', true), new MailError('never', false)]);
  void mailer.sendInBackground(WEI, TEXTS);
  await settle();
  clock.advance(10_000);
  await settle();
  clock.advance(3_600_000);
  await settle();
  expect([tries(), taken, errors.length]).toEqual([2, [], 2]);
});

it('writes in the language of the person, and sends nothing without an address or a server', async () => {
  const { mailer, taken, tries } = createBench([]);
  expect([await mailer.send(WEI, TEXTS), await mailer.send({ locale: 'en' }, TEXTS)]).toEqual([true, false]);
  expect([tries(), taken]).toEqual([1, [{ to: 'wei@example.com', subject: '你好', text: '文本' }]]);
  const off = new Mailer({ sender: undefined, clock: createManualClock(), onError: () => {} });
  expect([off.isOn, await off.send(WEI, TEXTS)]).toEqual([false, false]);
});
