/** Sends mails through the SMTP server of the operator. */

export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
}

export class MailError extends Error {
  /** `isTransient`: the same mail may be taken later. */
  constructor(
    message: string,
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MailError';
  }
}

export interface MailSender {
  /** Resolves when the server has taken the mail. Rejects with MailError, also when the server does not answer within ten seconds. */
  send(mail: Mail): Promise<void>;
}
