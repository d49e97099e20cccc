/** Mails people their links and what happens to their accounts, when there is an SMTP server. */
import type { Locale } from '../../../port/store/sessions';
import type { Store } from '../../../port/store/store';
import { LOGIN_NOTICES, type LoginNotice } from '../../../service/auth/login_notice';
import type { Mailer, MailTexts } from '../../../service/mail/mailer';
import { inBoth } from '../../../utils/bilingual';
import { toIsoTime } from '../../../utils/iso_time';
import type { InvitationRecord } from '../store/people_records';

export interface PeopleMailsDeps {
  store: Pick<Store, 'read'>;
  mailer: Pick<Mailer, 'isOn' | 'send' | 'sendInBackground'>;
  /** The language of mails to people who have no account yet. */
  defaultLocale: Locale;
  /** The zone of times in mails. */
  timeZone: string;
}

export class PeopleMails {
  constructor(private readonly deps: PeopleMailsDeps) {}

  /** Resolves undefined when the gateway sends no mail, or the link has no address. Takes ten seconds at most. */
  async sendLink({ tenantId, personId, email, expiresAt }: InvitationRecord, url: string): Promise<'sent' | 'failed' | undefined> {
    const { store, mailer, defaultLocale } = this.deps;
    if (!mailer.isOn || email === undefined) return undefined;
    const person = personId === undefined ? undefined : await store.read.people.get(tenantId, personId);
    const mail = (person ? passwordMail : invitationMail)(url, toIsoTime(expiresAt));
    return (await mailer.send({ email, locale: person?.locale ?? defaultLocale }, mail)) ? 'sent' : 'failed';
  }

  /** Returns at once. */
  tell(notice: LoginNotice): void {
    void this.deps.mailer.sendInBackground(notice, noticeMail(notice, this.deps.timeZone));
  }
}

const invitationMail = (url: string, until: string): MailTexts => ({
  subject: inBoth('Your invitation to Neta', '您的 Neta 邀请'),
  text: inBoth(
    `You are invited to Neta. Open this link, write your name and choose a password:\n\n${url}\n\nThe link works once, until ${until}. Give it to nobody: whoever opens it first gets the account.\n`,
    `您已受邀使用 Neta。请打开此链接，填写姓名并设置密码：\n\n${url}\n\n链接只能使用一次，有效期至 ${until}。请勿转给他人：先打开者会得到该账户。\n`,
  ),
});

const passwordMail = (url: string, until: string): MailTexts => ({
  subject: inBoth('Your new password for Neta', '您的 Neta 新密码'),
  text: inBoth(
    `An admin made this link, with which you choose a new password for Neta:\n\n${url}\n\nThe link works once, until ${until}, and ends your other logins. If you did not ask for it, ask your admin.\n`,
    `管理员为您创建了此链接，用于设置 Neta 的新密码：\n\n${url}\n\n链接只能使用一次，有效期至 ${until}，并会结束您的其他登录。如果不是您要求的，请询问管理员。\n`,
  ),
});

/** Begin the sentence that says what to do. */
const NOT_YOU = inBoth('If you or your admin did this, do nothing. If not,', '如果是您本人或您的管理员操作，无需处理。如果不是，');
const REUSED_CODE = inBoth(
  'If you did not enter the code twice, somebody knows your password:',
  '如果不是您两次输入了该验证码，说明有人知道您的密码：',
);

/** Says what happened, when and from where, and what to do. */
function noticeMail({ kind, at, name, from, by }: LoginNotice, timeZone: string): MailTexts {
  const subject = LOGIN_NOTICES[kind];
  const advice = kind === 'code_reused' ? REUSED_CODE : NOT_YOU;
  const when = (locale: Locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(at);
  const facts = (locale: Locale, byWord: string) =>
    [name && toLine(name), when(locale), from?.address, from?.client, by && `${byWord} ${by}`].filter(Boolean).join('\n');
  return {
    subject,
    text: inBoth(
      `${subject.en}:\n\n${facts('en', 'By')}\n\n${advice.en} open Settings, Your logins: log out and remove what you do not know, and change your password, which ends your other logins. If you cannot log in, ask your admin for a link for a new password.\n`,
      `${subject['zh-CN']}：\n\n${facts('zh-CN', '操作者')}\n\n${advice['zh-CN']}请打开“设置 → 你的登录方式”：退出并移除不认识的内容，并更改密码，这会结束您的其他登录。如果无法登录，请向管理员索取设置新密码的链接。\n`,
    ),
  };
}

/** The name of a passkey is free text: it must not look like more lines of the mail. */
const toLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
