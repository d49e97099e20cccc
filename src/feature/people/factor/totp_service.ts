/** Codes of authenticator apps (TOTP, RFC 6238) beside the password, and the recovery codes for a lost phone. */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { Principal } from '../../../port/principal';
import type { Sealer } from '../../../port/sealer';
import type { Store, StoreTransaction } from '../../../port/store/store';
import type { Identity, KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient } from '../../../service/auth/login_service';
import { contentHash } from '../../../utils/content_hash';
import type { LoginChange, LoginChanges } from '../login/login_changes';
import { emailOf } from '../person/new_person';
import { findOwnAccount } from '../person/own_account';
import { assertMayGive } from '../person/people_service';
import type { FactorRecord } from '../store/factor_records';
import type { PersonRecord } from '../store/people_records';

const STEP_SECONDS = 30;
const ISSUER = 'Neta';
const RECOVERY_CODES = 10;
/** Wrong codes behind which only a recovery code or an admin helps: whoever knows the password could try all codes. */
const MAX_FAILURES = 50;
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export interface TotpDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  sealer: Sealer;
  changes: LoginChanges;
  keys: Pick<KeyRing, 'applyChange'>;
}

export interface BegunTotp {
  /** In base 32, for apps without a camera. */
  secret: string;
  url: string;
  /** A drawing of the address as SVG. */
  qr: string;
}

/** Loaded on demand: few logins need them. */
const otpauth = (): typeof import('otpauth') => require('otpauth');
const uqr = (): typeof import('uqr') => require('uqr');

export class TotpService {
  constructor(private readonly deps: TotpDeps) {}

  /** Makes a secret, which counts once `confirm` has seen a code of it. Rejects `forbidden`, and `invalid_request` for a person who has an app. */
  async begin(identity: Identity): Promise<BegunTotp> {
    const { store, clock, ids, sealer } = this.deps;
    const person = await findOwnAccount(store, identity);
    const { tenantId, id: personId } = person;
    const secret = new (otpauth().Secret)({ size: 20 });
    const factor: FactorRecord = {
      tenantId,
      id: ids.next('fac'),
      personId,
      kind: 'totp',
      name: 'TOTP',
      credential: `totp ${tenantId}/${personId}`,
      secret: sealer.seal(secret.base32, purposeOf(personId)),
      state: 'pending',
      counter: 0,
      failures: 0,
      createdAt: clock.now(),
    };
    await store.transaction({ tenant: tenantId }, async tx => {
      const before = totpOf(await tx.personFactors.listOfPerson(tenantId, personId));
      if (before?.state === 'active') throw hasTotp();
      if (before) await tx.personFactors.delete(tenantId, personId, before.id);
      await tx.personFactors.insert(factor);
    });
    const label = emailOf(person) ?? person.handle;
    const url = new (otpauth().TOTP)({ issuer: ISSUER, label, secret }).toString();
    return { secret: secret.base32, url, qr: uqr().renderSVG(url) };
  }

  /**
   * Resolves with the recovery codes, which are shown this once. The person may do what the role may, from now on. Ends all other logins of the person:
   * they began without a code. Rejects `invalid_request` for a wrong code.
   */
  async confirm(identity: Identity, code: string, origin: LoginClient): Promise<string[]> {
    const { store, changes } = this.deps;
    const person = await findOwnAccount(store, identity);
    const { tenantId, id: personId } = person;
    const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
    await changes.transaction(tenantId, async (tx, record) => {
      const factor = totpOf(await tx.personFactors.listOfPerson(tenantId, personId));
      if (factor?.state !== 'pending' || (await this.useCode(tx, factor, code)) !== 'new') throw wrongCode();
      await tx.personFactors.activate(tenantId, factor.id);
      for (const each of codes) await tx.personFactors.insert(this.toRecovery(person, each));
      await tx.apiKeys.deleteOtherLogins(person.subject, identity.tokenHash ?? '');
      await record({ kind: 'authenticator_added', person, origin, details: { kind: 'totp' } });
    });
    await this.deps.keys.applyChange();
    return codes;
  }

  /** Takes the app away; `code` proves that the person has it, or is a recovery code. Rejects `unauthenticated`. */
  async remove(identity: Identity, code: string, origin: LoginClient): Promise<void> {
    const { store } = this.deps;
    const person = await findOwnAccount(store, identity);
    await this.check(person, code, origin);
    await this.removeAll(person, origin);
  }

  /** Takes the app of somebody who has lost it. Rejects `not_found` and `forbidden`. */
  async removeOf(caller: Principal, personId: string): Promise<void> {
    const person = await this.deps.store.read.people.get(caller.tenantId, personId);
    if (!person || person.state === 'removed')
      throw new AppError('not_found', { message: 'There is no such person.', messageZh: '没有这个人。' });
    assertMayGive(caller, person.role);
    await this.removeAll(person, { by: caller });
  }

  /**
   * Checks the code of a person who logs in with a password; a code counts once. Resolves with the id of the app, undefined for a person without one.
   * Rejects `unauthenticated`, which says whether a code is missing (`details.needs`). A code that was used before may have been stolen: the person is
   * told.
   */
  async check(person: PersonRecord, code: string | undefined, origin: LoginClient): Promise<string | undefined> {
    const { store, clock, changes } = this.deps;
    const { tenantId, id: personId } = person;
    const factors = await store.read.personFactors.listOfPerson(tenantId, personId);
    const totp = totpOf(factors);
    if (totp?.state !== 'active') return undefined;
    if (code === undefined) throw codeNeeded();
    const credential = recoveryCredential(personId, code);
    const recovery = factors.find(factor => factor.kind === 'recovery' && factor.credential === credential);
    const failure = await changes.transaction(tenantId, async (tx, record) => {
      if (recovery && (await tx.personFactors.delete(tenantId, personId, recovery.id))) {
        // The codes of the app go on: the one of now was not used.
        await tx.personFactors.useWithoutCounter(tenantId, totp.id, clock.now());
        return undefined;
      }
      if (this.openSecret(totp) === undefined) return unreadableApp();
      // The count comes before the comparison, so that guesses at the same moment do not pass the limit.
      if (!(await tx.personFactors.addTry(tenantId, totp.id, MAX_FAILURES))) return tooManyCodes();
      const kind = await this.useCode(tx, totp, code);
      if (kind === 'used') await record({ kind: 'code_reused', person, origin });
      return kind === 'new' ? undefined : badCode();
    });
    if (failure) throw failure;
    return totp.id;
  }

  /** Rejects `unauthenticated` when the person has added an app since `check`, which resolved with `checked`. Call it in the transaction that stores the login. */
  async assertNoNewApp(tx: StoreTransaction, { tenantId, id }: PersonRecord, checked: string | undefined): Promise<void> {
    const totp = totpOf(await tx.personFactors.listOfPerson(tenantId, id));
    if (totp?.state === 'active' && totp.id !== checked) throw codeNeeded();
  }

  /** Uses the code of the current time step, the one before or the one after. Resolves with `used` when it, or a later one, was used before. */
  private async useCode(tx: StoreTransaction, factor: FactorRecord, code: string): Promise<'new' | 'used' | 'wrong'> {
    const { tenantId, id } = factor;
    const { clock } = this.deps;
    const text = this.openSecret(factor);
    if (text === undefined || !/^\d{6}$/.test(code)) return 'wrong';
    const { TOTP, Secret } = otpauth();
    const now = clock.now();
    const delta = new TOTP({ secret: Secret.fromBase32(text) }).validate({ token: code, timestamp: now, window: 1 });
    if (delta === null) return 'wrong';
    return (await tx.personFactors.use(tenantId, id, { counter: stepAt(now) + delta, at: now })) ? 'new' : 'used';
  }

  /** Returns undefined for an app that was added with another key of the gateway. */
  private openSecret({ secret, personId }: FactorRecord): string | undefined {
    return this.deps.sealer.open(secret, purposeOf(personId));
  }

  private async removeAll(person: PersonRecord, origin: LoginChange['origin']): Promise<void> {
    const { tenantId, id: personId } = person;
    await this.deps.changes.transaction(tenantId, async (tx, record) => {
      const factors = (await tx.personFactors.listOfPerson(tenantId, personId)).filter(({ kind }) => kind !== 'passkey');
      for (const { id } of factors) await tx.personFactors.delete(tenantId, personId, id);
      const isOn = totpOf(factors)?.state === 'active';
      if (isOn) await record({ kind: 'authenticator_removed', person, origin, details: { kind: 'totp' } });
    });
    await this.deps.keys.applyChange();
  }

  private toRecovery({ tenantId, id: personId }: PersonRecord, code: string): FactorRecord {
    const { ids, clock } = this.deps;
    const credential = recoveryCredential(personId, code);
    const made = { tenantId, id: ids.next('fac'), personId, credential, createdAt: clock.now() };
    return { ...made, kind: 'recovery', name: '', secret: '', state: 'active', counter: 0, failures: 0 };
  }
}

const totpOf = (factors: readonly FactorRecord[]): FactorRecord | undefined => factors.find(({ kind }) => kind === 'totp');

const purposeOf = (personId: string): string => `totp ${personId}`;

const stepAt = (now: number): number => Math.floor(now / 1_000 / STEP_SECONDS);

/** 24 characters of 31: 118 bits. */
function makeRecoveryCode(): string {
  const signs: string[] = [];
  while (signs.length < 24) {
    const [byte = 255] = randomBytes(1);
    // Other bytes would make some characters likelier.
    if (byte < 248) signs.push(ALPHABET[byte % ALPHABET.length] ?? '');
  }
  return signs.join('').replace(/(.{6})(?=.)/g, '$1-');
}

/** A code may be written in capitals, and without its lines. */
const recoveryCredential = (personId: string, code: string): string =>
  contentHash(`${personId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

const codeNeeded = (): AppError =>
  new AppError('unauthenticated', {
    param: '/code',
    message: '/code: a code of your authenticator app is needed, or a recovery code.',
    messageZh: '/code：需要验证器应用的验证码，或恢复码。',
    details: { needs: 'code' },
  });

const badCode = (): AppError =>
  new AppError('unauthenticated', {
    param: '/code',
    message: '/code: is wrong or was used before. Wait for the next code of the app.',
    messageZh: '/code：错误或已使用过。请等待应用显示下一个验证码。',
    details: { needs: 'code' },
  });

const unreadableApp = (): AppError =>
  new AppError('unauthenticated', {
    param: '/code',
    message: '/code: the gateway cannot read this authenticator app any more. Use a recovery code, or ask an admin to remove the app.',
    messageZh: '/code：网关无法再读取此验证器应用。请使用恢复码，或请管理员移除该应用。',
    details: { needs: 'code' },
  });

const tooManyCodes = (): AppError =>
  new AppError('unauthenticated', {
    param: '/code',
    message: '/code: too many wrong codes came for this account. Use a recovery code, or ask an admin to remove the authenticator app.',
    messageZh: '/code：此账户的错误验证码过多。请使用恢复码，或请管理员移除验证器应用。',
    details: { needs: 'code' },
  });

const wrongCode = (): AppError =>
  new AppError('invalid_request', {
    param: '/code',
    message: '/code: is not the present code of the app. Check the clock of the phone.',
    messageZh: '/code：不是应用当前的验证码。请检查手机的时钟。',
  });

const hasTotp = (): AppError =>
  new AppError('invalid_request', {
    message: 'You have an authenticator app already: remove it first.',
    messageZh: '你已有验证器应用：请先移除它。',
  });
