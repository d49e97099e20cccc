/** Settings of mails. */
import { smtpAddress, textOr } from './setting_types';

export const MAIL = {
  NETA_SMTP_URL: smtpAddress('NETA_SMTP_URL', {
    section: 'server',
    en: 'SMTP server that sends [mails to people](docs/guides/people.md#mail), such as `smtp://user:password@mail.example.com:587`, or `smtps://` for port 465; left out: the gateway sends no mail',
    zh: '[向人员发送邮件](docs/guides/people.zh-CN.md#邮件)的 SMTP 服务器，如 `smtp://user:password@mail.example.com:587`，465 端口用 `smtps://`；省略时网关不发送邮件',
  }),
  NETA_MAIL_FROM: textOr(
    '',
    {
      section: 'server',
      en: 'sender of these mails, such as `Neta <neta@example.com>`; needed with `NETA_SMTP_URL`',
      zh: '这些邮件的发件人，如 `Neta <neta@example.com>`；设置 `NETA_SMTP_URL` 时必填',
    },
    { format: 'mail-sender', refusal: 'NETA_MAIL_FROM must be an address such as neta@example.com or Neta <neta@example.com>.' },
  ),
};
