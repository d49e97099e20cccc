/**
 * Limits wrong passwords. A known device and a login have guesses of their own, so nobody else can use them up. All other guesses for an account count
 * together, and a network (/24, IPv6 /48) adds only some
 * of them: one stranger refuses the own network alone. Reads no store, so the answers do not tell who has an
 * account. Each gateway counts by itself.
 */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import { AddressCounts } from '../../../service/auth/address_counts';
import { WindowCounts } from '../../../service/auth/window_counts';
import { contentHash } from '../../../utils/content_hash';
import { siteOf } from '../login/sign_in_log';

/** Wrong passwords of an address in a minute: for any account, and for one. */
const MAX_OF_ADDRESS = 20;
const MAX_OF_ADDRESS_FOR_ACCOUNT = 5;

const HOUR_MS = 3_600_000;
/** Wrong passwords for one account in an hour: from everywhere, from one network, and from one known device or login. */
const MAX_OF_ACCOUNT = 50;
const MAX_OF_NETWORK = 10;
const MAX_OF_OWNER = 10;
/** The accounts, networks and owners that are counted. A flood of guesses for invented addresses must not soon forget the count of an account. */
const MAX_KEYS = 50_000;

export interface GuessSource {
  /** Names the account, as `emailKey` returns it. */
  email: string;
  /** IP address of the client. */
  address: string;
  /** The known device of the person, or the login in which the person shows the password again. */
  owner?: string | undefined;
}

export class PasswordLimits {
  private readonly ofAddress: AddressCounts;
  private readonly ofAccount: WindowCounts;
  private readonly ofNetwork: WindowCounts;
  private readonly ofOwner: WindowCounts;

  constructor({ clock }: { clock: Clock }) {
    const hourly = { clock, windowMs: HOUR_MS, maxKeys: MAX_KEYS };
    this.ofAddress = new AddressCounts({ clock });
    this.ofAccount = new WindowCounts(hourly);
    this.ofNetwork = new WindowCounts(hourly);
    this.ofOwner = new WindowCounts(hourly);
  }

  /** Throws `rate_limited` for a source that has to wait. */
  assertAllowed({ email, address, owner }: GuessSource): void {
    if (owner !== undefined) {
      assertBelow(MAX_OF_OWNER, this.ofOwner.windowOf(owner), tooManyOfOwner);
      return;
    }
    const account = contentHash(email);
    assertBelow(MAX_OF_ADDRESS, this.ofAddress.windowOf(address, 'password'), tooManyOfAddress);
    assertBelow(MAX_OF_ADDRESS_FOR_ACCOUNT, this.ofAddress.windowOf(address, account), tooManyOfAddress);
    assertBelow(MAX_OF_NETWORK, this.ofNetwork.windowOf(`${account} ${siteOf(address)}`), tooManyForAccount);
    assertBelow(MAX_OF_ACCOUNT, this.ofAccount.windowOf(account), tooManyForAccount);
  }

  /** Counts a wrong password. */
  add({ email, address, owner }: GuessSource): void {
    if (owner !== undefined) {
      this.ofOwner.add(owner);
      return;
    }
    const account = contentHash(email);
    this.ofAddress.add(address, 'password');
    this.ofAddress.add(address, account);
    this.ofNetwork.add(`${account} ${siteOf(address)}`);
    this.ofAccount.add(account);
  }
}

function assertBelow(
  limit: number,
  { count, retryAfterMs }: { count: number; retryAfterMs: number },
  toError: (retryAfterMs: number) => AppError,
): void {
  if (count >= limit) throw toError(retryAfterMs);
}

const tooManyOfAddress = (retryAfterMs: number): AppError =>
  new AppError('rate_limited', {
    message: 'Too many wrong passwords came from this address. Wait, then try again.',
    messageZh: '这个地址发送了太多错误的密码。请稍候再试。',
    retryAfterMs,
  });

const tooManyForAccount = (retryAfterMs: number): AppError =>
  new AppError('rate_limited', {
    message:
      'Too many wrong passwords came for this account. Wait, or log in with a browser in which you have logged in before, or in another way.',
    messageZh: '此账户收到了太多错误的密码。请稍候，或用曾经登录过的浏览器登录，或用其他方式登录。',
    retryAfterMs,
  });

const tooManyOfOwner = (retryAfterMs: number): AppError =>
  new AppError('rate_limited', {
    message: 'Too many wrong passwords came from this browser. Wait, then try again, or log in in another way.',
    messageZh: '这个浏览器发送了太多错误的密码。请稍候再试，或用其他方式登录。',
    retryAfterMs,
  });
