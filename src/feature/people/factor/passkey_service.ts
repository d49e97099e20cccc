/** Passkeys (WebAuthn): a person logs in with a device, without a name and without a password. The device checks the person by itself. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError, invalidField } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { Sealer } from '../../../port/sealer';
import type { Store } from '../../../port/store/store';
import type { AuditLog } from '../../../service/audit/audit_log';
import { AddressCounts } from '../../../service/auth/address_counts';
import type { Identity } from '../../../service/auth/key_ring';
import type { LoginClient, StartedLogin } from '../../../service/auth/login_service';
import { contentHash } from '../../../utils/content_hash';
import type { LoginChanges } from '../login/login_changes';
import type { LoginSettings } from '../login/login_settings';
import type { SignInLog } from '../login/sign_in_log';
import { findOwnAccount } from '../person/own_account';
import type { FactorRecord } from '../store/factor_records';

const STEP_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;
const MAX_FAILURES = 20;
const RP_NAME = 'Neta';

/** The page that asks the device. */
export interface PasskeyPage {
  /** Such as https://neta.example.com. */
  origin: string;
  /** The name of the host, without the port. */
  hostname: string;
}

/** The request with which the page adds a passkey that the device has made. */
interface NewPasskey {
  step: string;
  name: string;
  response: unknown;
}

/** The question to the device, as the page keeps it. */
interface Asked {
  challenge: string;
  personId?: string | undefined;
  expiresAt: number;
}

export interface PasskeyDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  sealer: Sealer;
  signIns: Pick<SignInLog, 'start'>;
  auditLog: Pick<AuditLog, 'recordFailedLogin'>;
  changes: LoginChanges;
  loginSettings: Pick<LoginSettings, 'assertPasswords'>;
}

/** Loaded on demand: it takes 2 MB. */
const webauthn = (): typeof import('@simplewebauthn/server') => require('@simplewebauthn/server');

export class PasskeyService {
  private readonly failures: AddressCounts;

  constructor(private readonly deps: PasskeyDeps) {
    this.failures = new AddressCounts(deps);
  }

  /** Resolves with the options for `navigator.credentials.create`, and with the step for `add`. Rejects `forbidden`. */
  async beginAdding(identity: Identity, page: PasskeyPage) {
    this.deps.loginSettings.assertPasswords();
    const person = await findOwnAccount(this.deps.store, identity);
    const known = await this.passkeysOf(person.tenantId, person.id);
    const options = await webauthn().generateRegistrationOptions({
      rpName: RP_NAME,
      rpID: hostOf(page),
      userName: person.handle,
      userDisplayName: person.name,
      userID: new TextEncoder().encode(person.id),
      attestationType: 'none',
      excludeCredentials: known.map(({ credential: id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { options, step: this.seal({ challenge: options.challenge, personId: person.id }) };
  }

  /** Rejects `invalid_request` for an answer that the device did not give to this step. */
  async add(identity: Identity, page: PasskeyPage, given: NewPasskey, origin: LoginClient): Promise<FactorRecord> {
    const { store, ids, clock, changes } = this.deps;
    const person = await findOwnAccount(store, identity);
    const { tenantId, id: personId } = person;
    const { challenge, personId: asked } = this.open(given.step);
    if (asked !== personId) throw badAnswer();
    const { verifyRegistrationResponse } = webauthn();
    const { registrationInfo } = await verify(() =>
      verifyRegistrationResponse({
        response: given.response as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: page.origin,
        expectedRPID: hostOf(page),
        requireUserVerification: true,
      }),
    );
    if (!registrationInfo) throw badAnswer();
    const { id: credential, publicKey, counter } = registrationInfo.credential;
    const secret = Buffer.from(publicKey).toString('base64url');
    const made = { tenantId, id: ids.next('fac'), personId, credential, secret, counter, createdAt: clock.now() };
    const factor: FactorRecord = { ...made, kind: 'passkey', name: given.name, state: 'active', failures: 0 };
    await changes.transaction(tenantId, async (tx, record) => {
      if ((await this.passkeysOf(tenantId, personId)).length >= MAX_PASSKEYS) throw new AppError('quota_exceeded');
      if (await tx.personFactors.findByCredential(credential)) throw badAnswer();
      await tx.personFactors.insert(factor);
      await record({ kind: 'passkey_added', person, origin, name: given.name, details: { kind: 'passkey' } });
    });
    return factor;
  }

  /** Rejects `forbidden` for keys, and `not_found`. */
  async remove(identity: Identity, id: string, origin: LoginClient): Promise<void> {
    const { store, changes } = this.deps;
    const person = await findOwnAccount(store, identity);
    const { tenantId } = person;
    await changes.transaction(tenantId, async (tx, record) => {
      const factor = (await tx.personFactors.listOfPerson(tenantId, person.id)).find(each => each.id === id);
      if (factor?.kind !== 'passkey')
        throw new AppError('not_found', { message: 'There is no such passkey.', messageZh: '没有这个通行密钥。' });
      await tx.personFactors.delete(tenantId, factor.personId, id);
      await record({ kind: 'passkey_removed', person, origin, name: factor.name, details: { kind: 'passkey' } });
    });
  }

  /** Resolves with the options for `navigator.credentials.get`, and with the step for `logIn`. */
  async beginLogin(page: PasskeyPage) {
    this.deps.loginSettings.assertPasswords();
    const options = await webauthn().generateAuthenticationOptions({ rpID: hostOf(page), userVerification: 'required' });
    return { options, step: this.seal({ challenge: options.challenge }) };
  }

  /** Logs the person of the passkey in; a step counts once. Rejects `unauthenticated` and `rate_limited`. */
  async logIn(page: PasskeyPage, { step, response }: { step: string; response: unknown }, client: LoginClient): Promise<StartedLogin> {
    const { store, clock, signIns, auditLog, loginSettings } = this.deps;
    loginSettings.assertPasswords();
    const { count, retryAfterMs } = this.failures.windowOf(client.address, 'passkey');
    if (count >= MAX_FAILURES) throw new AppError('rate_limited', { retryAfterMs });
    try {
      const { challenge, personId: other, expiresAt } = this.open(step);
      const { factor, counter } = await this.verifyLogin(page, challenge, response);
      const person = await store.read.people.get(factor.tenantId, factor.personId);
      if (person?.state !== 'active' || other !== undefined) throw badAnswer();
      const { tenantId } = person;
      return await signIns.start({ person, way: 'passkey' }, client, async tx => {
        const isFirst = await tx.personIdentities.spend(contentHash(`passkey ${challenge}`), expiresAt);
        if (!isFirst || !(await tx.personFactors.use(tenantId, factor.id, { counter, at: clock.now() }))) throw badAnswer();
        await tx.people.markLogin(tenantId, person.id, clock.now());
      });
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'invalid_request') throw thrown;
      this.failures.add(client.address, 'passkey');
      auditLog.recordFailedLogin(client.address);
      throw new AppError('unauthenticated', {
        message: 'This passkey is not known here, or the login took too long. Try again.',
        messageZh: '此处没有这个通行密钥，或登录用时过长。请重试。',
        cause: thrown,
      });
    }
  }

  private async verifyLogin(page: PasskeyPage, challenge: string, given: unknown): Promise<{ factor: FactorRecord; counter: number }> {
    const response = given as AuthenticationResponseJSON;
    const factor = typeof response.id === 'string' ? await this.deps.store.read.personFactors.findByCredential(response.id) : undefined;
    if (factor?.kind !== 'passkey') throw badAnswer();
    const publicKey = new Uint8Array(Buffer.from(factor.secret, 'base64url'));
    const { verified, authenticationInfo } = await verify(() =>
      webauthn().verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: page.origin,
        expectedRPID: hostOf(page),
        requireUserVerification: true,
        credential: { id: factor.credential, publicKey, counter: factor.counter },
      }),
    );
    if (!verified) throw badAnswer();
    return { factor, counter: authenticationInfo.newCounter };
  }

  private async passkeysOf(tenantId: string, personId: string): Promise<FactorRecord[]> {
    const factors = await this.deps.store.read.personFactors.listOfPerson(tenantId, personId);
    return factors.filter(({ kind }) => kind === 'passkey');
  }

  private seal(asked: Omit<Asked, 'expiresAt'>): string {
    const { sealer, clock } = this.deps;
    return sealer.seal(JSON.stringify({ ...asked, expiresAt: clock.now() + STEP_MS } satisfies Asked), 'passkey_step');
  }

  private open(step: string): Asked {
    const text = this.deps.sealer.open(step, 'passkey_step');
    const asked = text === undefined ? undefined : (JSON.parse(text) as Asked);
    if (!asked || asked.expiresAt <= this.deps.clock.now()) throw badAnswer();
    return asked;
  }
}

/** Browsers make passkeys for names alone. Throws `invalid_request` for an IP address. */
function hostOf({ hostname }: PasskeyPage): string {
  if (isPasskeyHost(hostname)) return hostname;
  throw invalidField(
    '/host',
    'passkeys need a name: open this page as localhost, or under the name of the gateway.',
    '通行密钥需要主机名：请以 localhost 或网关的名称打开此页面。',
  );
}

export const isPasskeyHost = (hostname: string): boolean => !/^[\d.]+$|^\[/.test(hostname);

/** The library throws for an answer that does not match. */
async function verify<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw badAnswer(thrown);
  }
}

const badAnswer = (cause?: unknown): AppError =>
  new AppError('invalid_request', {
    param: '/response',
    message: '/response: is not the answer of a device to this request. Begin again.',
    messageZh: '/response：不是设备对此请求的回答。请重新开始。',
    cause,
  });
