/** What the gateway reads from the settings of mails. */
import { SettingError } from './read_values';
import type { SettingValues } from './settings_schema';

/** How the gateway sends mails. */
export interface MailSettings {
  smtpUrl: string;
  from: string;
}

/** Returns undefined without a server. Throws for a server without a sender. */
export function toMail(values: SettingValues): MailSettings | undefined {
  const { NETA_SMTP_URL: smtpUrl, NETA_MAIL_FROM: from } = values;
  if (!smtpUrl) return undefined;
  if (from === '') throw new SettingError('NETA_SMTP_URL needs NETA_MAIL_FROM: the address from which the gateway sends.');
  return { smtpUrl, from };
}
