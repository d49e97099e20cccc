/** Sends mails to people in their language, when the operator has set an SMTP server. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import { MailError, type MailSender } from '../../port/mail_sender';
import type { Locale } from '../../port/store/sessions';
import type { Bilingual } from '../../utils/bilingual';

const SECOND = 1_000;
/** Pauses after each failed try in the background. */
const PAUSES_MS = [10 * SECOND, 60 * SECOND, 600 * SECOND];

export interface MailedPerson {
  /** Absent: the person gets no mail. */
  email?: string | undefined;
  locale: Locale;
}

export interface MailTexts {
  subject: Bilingual;
  text: Bilingual;
}

export interface MailerDeps {
  /** Absent: no mail is sent. */
  sender: MailSender | undefined;
  clock: Pick<Clock, 'after'>;
  onError: LogError;
}

export class Mailer {
  constructor(private readonly deps: MailerDeps) {}

  /** True when there is an SMTP server. */
  get isOn(): boolean {
    return this.deps.sender !== undefined;
  }

  /** Resolves whether the server took the mail. A failure is logged; nothing rejects. Takes ten seconds at most. */
  async send(person: MailedPerson, texts: MailTexts): Promise<boolean> {
    return (await this.tryOnce(person, texts)) === 'sent';
  }

  /** Resolves after the first try, and tries again for some minutes after failures that may pass. The stop of the gateway ends the tries. */
  sendInBackground(person: MailedPerson, texts: MailTexts): Promise<void> {
    return this.sendAgain(person, texts, PAUSES_MS);
  }

  private async sendAgain(person: MailedPerson, texts: MailTexts, [pauseMs, ...later]: readonly number[]): Promise<void> {
    const result = await this.tryOnce(person, texts);
    if (result === 'later' && pauseMs !== undefined) this.deps.clock.after(pauseMs, () => void this.sendAgain(person, texts, later));
  }

  private async tryOnce({ email, locale }: MailedPerson, { subject, text }: MailTexts): Promise<'sent' | 'later' | 'never'> {
    const { sender, onError } = this.deps;
    if (!sender || email === undefined) return 'never';
    try {
      await sender.send({ to: email, subject: subject[locale], text: text[locale] });
      return 'sent';
    } catch (thrown) {
      onError('a mail could not be sent', thrown);
      return thrown instanceof MailError && thrown.isTransient ? 'later' : 'never';
    }
  }
}
