/** What a person is told about the own account: an unusual sign-in, and each change of the ways to log in. */
import type { Locale } from '../../port/store/sessions';
import type { StoreTransaction } from '../../port/store/store';
import { inBoth } from '../../utils/bilingual';

/** What happened, in the words of mails and notifications. */
export const LOGIN_NOTICES = {
  unusual_sign_in: inBoth('Your Neta account was opened from a new network or browser', '有人从新的网络或浏览器登录了您的 Neta 账户'),
  password_changed: inBoth('The password of your Neta account was changed', '您的 Neta 账户的密码已更改'),
  authenticator_added: inBoth('An authenticator app was added to your Neta account', '您的 Neta 账户添加了验证器应用'),
  authenticator_removed: inBoth('The authenticator app of your Neta account was removed', '您的 Neta 账户的验证器应用已移除'),
  code_reused: inBoth(
    'A code of your authenticator app was used a second time, and refused',
    '您的验证器应用的同一个验证码被再次使用，已被拒绝',
  ),
  passkey_added: inBoth('A passkey was added to your Neta account', '您的 Neta 账户添加了通行密钥'),
  passkey_removed: inBoth('A passkey of your Neta account was removed', '您的 Neta 账户的一个通行密钥已移除'),
  provider_linked: inBoth('A login provider was linked with your Neta account', '您的 Neta 账户关联了登录服务器'),
  provider_unlinked: inBoth('A login provider of your Neta account was unlinked', '您的 Neta 账户取消了与登录服务器的关联'),
} as const;

export type LoginNoticeKind = keyof typeof LOGIN_NOTICES;

export const isLoginNotice = (kind: string): kind is LoginNoticeKind => Object.hasOwn(LOGIN_NOTICES, kind);

export interface LoginNotice {
  kind: LoginNoticeKind;
  tenantId: string;
  /** The handle of the person. */
  person: string;
  /** Stands in logins and devices of the person where those of keys have the hash of the key. */
  subject: string;
  /** Absent for a person without an address. */
  email?: string | undefined;
  locale: Locale;
  /** Milliseconds since 1970. */
  at: number;
  /** Of a sign-in: password, invitation, passkey, or provider:<id>. */
  way?: string;
  /** The name of the passkey or of the provider. */
  name?: string | undefined;
  /** IP address, and browser and system without versions. Absent when somebody else made the change. */
  from?: { address: string; client: string } | undefined;
  /** The key or the handle of whoever made the change. Absent: the person. */
  by?: string | undefined;
}

/** A part of the gateway that tells people of their accounts. */
export interface LoginListener {
  /** Stores more in the transaction of what happened. A retried transaction calls it again. */
  add?(tx: StoreTransaction, notice: LoginNotice): Promise<void>;
  /** Called when the transaction is committed. Returns at once and does not throw. */
  committed(notice: LoginNotice): void;
}
