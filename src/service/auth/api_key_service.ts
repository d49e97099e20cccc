/** Makes, lists and revokes API keys, for the doors and for the command line. */
import { AppError, invalidField } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import { DEFAULT_TENANT, grants, isOperator, LOCAL_KEY_NAME, type Principal, type Scope } from '../../port/principal';
import type { ApiKeyRecord } from '../../port/store/api_keys';
import type { AuditDetails } from '../../port/store/audit';
import type { Store, StoreTransaction } from '../../port/store/store';
import { contentHash } from '../../utils/content_hash';
import { fingerprintOf } from '../../utils/fingerprint';
import { type AuditRecorder, byActor } from '../audit/audit_log';
import { type KeyRing } from './key_ring';
import type { KeyUsage } from './key_usage';
import { CONFIGURED_ID, type KnownKey } from './known_key';
import { visibleTenant } from './visible_tenant';

export interface ApiKeyInput {
  name: string;
  /** Absent: the tenant of the caller. */
  tenantId?: string;
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

/** A key that was made now, or by an earlier request with the same idempotency key. */
export type MadeKey = { key: KnownKey } & ({ secret: string; isReplay?: never } | { isReplay: true; secret?: never });

export interface ApiKeyDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  createSecret: () => string;
  keys: KeyRing;
  usage: KeyUsage;
  auditLog: AuditRecorder;
}

const MAX_KEYS = 1_000;
/** The most keys of a tenant whose admins make them: one tenant must not use up the keys of all. */
const MAX_KEYS_OF_TENANT = 200;
/** Each secret begins with this prefix, so that the redactor recognises secrets in texts (adapter/redact.ts). */
export const SECRET_PREFIX = 'neta_';

export class ApiKeyService {
  constructor(private readonly deps: ApiKeyDeps) {}

  /** The keys of the tenants that the caller sees: those of NETA_API_KEYS, then the others, oldest first. Rejects `store_unavailable`. */
  async listKeys(caller: Principal): Promise<KnownKey[]> {
    const { store, usage } = this.deps;
    const uses = new Map((await store.lists.apiKeys.listConfiguredUses()).map(({ id, lastUsedAt }) => [id, lastUsedAt]));
    return this.keysFor(caller).map(key => {
      const lastUsedAt = usage.pendingUse(key.id) ?? key.lastUsedAt ?? uses.get(key.id);
      return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
    });
  }

  /**
   * Makes a key; its secret is known to this answer alone. Rejects `forbidden` for scopes that the caller does not have and for tenants that it does not
   * see, `invalid_request` with the field in `param`, `idempotency_mismatch`, `quota_exceeded`.
   */
  async createKey(caller: Principal, input: ApiKeyInput, idempotencyKey?: string): Promise<MadeKey> {
    const { store, clock, ids, createSecret, keys } = this.deps;
    this.check(caller, input);
    const secret = SECRET_PREFIX + createSecret();
    const { name, tenantId = caller.tenantId, scopes, expiresAt } = input;
    const key: ApiKeyRecord = {
      tenantId,
      id: ids.next('key'),
      name,
      secretHash: contentHash(secret),
      scopes: [...new Set(scopes)],
      owner: ownerOf(caller, tenantId),
      createdAt: clock.now(),
      expiresAt,
      request:
        idempotencyKey === undefined
          ? undefined
          : { key: `${caller.tenantId}:${idempotencyKey}`, fingerprint: fingerprintOf({ name, tenantId, scopes, expiresAt }) },
    };
    const stored = await store.transaction({ leader: 'api_keys' }, async tx => {
      const made = await insertOnce(tx, key, isOperator(caller) ? undefined : MAX_KEYS_OF_TENANT);
      if (made === key)
        await this.deps.auditLog.record({ ...byActor(caller), tenantId, action: 'key.create', target: key.id, details: describe(key) }, tx);
      return made;
    });
    await keys.applyChange();
    return stored === key ? { key, secret } : { key: stored, isReplay: true };
  }

  /** Revokes a key: its logins and connections end at once. Rejects `not_found` for a key that the caller does not see, and `forbidden` for a key of NETA_API_KEYS. */
  async revokeKey(caller: Principal, id: string): Promise<void> {
    const { store, keys } = this.deps;
    const find = () => this.keysFor(caller).find(key => key.id === id);
    // Another gateway may have made the key just now.
    const known = find() ?? (await keys.refresh().then(find));
    if (!known) throw noKey();
    if (makesOperator(known) && !isOperator(caller)) throw onlyOperators();
    if (id.startsWith(CONFIGURED_ID)) {
      throw new AppError('forbidden', {
        message: `The key ${known.name} comes from NETA_API_KEYS: remove it there and start the gateway again.`,
        messageZh: `密钥 ${known.name} 来自 NETA_API_KEYS：请在那里删除，并重新启动网关。`,
      });
    }
    const isDeleted = await store.transaction('none', async tx => {
      await tx.apiKeys.deleteLoginsOf(known.secretHash, 0);
      const isGone = await tx.apiKeys.delete(id);
      const { tenantId, name } = known;
      const entry = { ...byActor(caller), tenantId, action: 'key.revoke', target: id, details: { name } } as const;
      if (isGone) await this.deps.auditLog.record(entry, tx);
      return isGone;
    });
    await keys.applyChange();
    if (!isDeleted) throw noKey();
  }

  private keysFor(caller: Principal): KnownKey[] {
    const tenantId = visibleTenant(caller);
    return this.deps.keys.listKeys().filter(key => tenantId === undefined || key.tenantId === tenantId);
  }

  private check(caller: Principal, { name, tenantId, scopes, expiresAt = Infinity }: ApiKeyInput): void {
    visibleTenant(caller, tenantId);
    const { scopes: own } = caller;
    if (makesOperator({ tenantId: tenantId ?? caller.tenantId, scopes }) && !isOperator(caller)) throw onlyOperators();
    const missing = scopes.filter(scope => !grants(own, scope));
    if (missing.length > 0) {
      throw new AppError('forbidden', {
        param: '/scopes',
        message: `/scopes: a key cannot give what it does not have: ${missing.join(', ')}.`,
        messageZh: `/scopes：密钥不能授予自己没有的权限：${missing.join('、')}。`,
        details: { scopes: missing },
      });
    }
    if (name === LOCAL_KEY_NAME) {
      throw invalidField(
        '/name',
        `${LOCAL_KEY_NAME} stands for callers without a key; choose another name.`,
        `${LOCAL_KEY_NAME} 表示没有密钥的调用方，请换一个名字。`,
      );
    }
    if (expiresAt > this.deps.clock.now()) return;
    throw invalidField('/expiresAt', 'must be a time in the future.', '必须是将来的时间。');
  }
}

/** A key that a person makes in the own tenant belongs to that person; so does a key that such a key makes. */
const ownerOf = ({ tenantId, keyName, person, owner }: Principal, ofTenant: string): string | undefined =>
  tenantId === ofTenant ? (person ? keyName : owner) : undefined;

/** True for a key whose holder is an operator. */
const makesOperator = ({ tenantId, scopes }: Pick<KnownKey, 'tenantId' | 'scopes'>): boolean =>
  tenantId === DEFAULT_TENANT && scopes.includes('admin');

const onlyOperators = (): AppError =>
  new AppError('forbidden', {
    message: `Only operators make and revoke keys with admin in the tenant ${DEFAULT_TENANT}.`,
    messageZh: `只有运维人员能创建和吊销 ${DEFAULT_TENANT} 租户中带 admin 的密钥。`,
    details: { scopes: ['admin'] },
  });

const noKey = (): AppError => new AppError('not_found', { message: 'There is no such key.', messageZh: '没有这个密钥。' });

/** Describes a key for the audit log. */
const describe = ({ name, scopes, owner, expiresAt }: ApiKeyRecord): AuditDetails => ({
  name,
  scopes,
  owner,
  expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
});

/** `tenantLimit`: the most keys of the tenant; absent: no limit of its own. Resolves with `key`, or with the key that an earlier request with the same idempotency key made. */
async function insertOnce(tx: StoreTransaction, key: ApiKeyRecord, tenantLimit: number | undefined): Promise<ApiKeyRecord> {
  const all = await tx.apiKeys.list();
  const { request } = key;
  const earlier = request && all.find(other => other.request?.key === request.key);
  if (earlier && earlier.request?.fingerprint !== request.fingerprint) throw new AppError('idempotency_mismatch');
  if (earlier) return earlier;
  const ofTenant = all.filter(({ tenantId }) => tenantId === key.tenantId);
  if (all.length >= MAX_KEYS) throw tooManyKeys(MAX_KEYS);
  if (tenantLimit !== undefined && ofTenant.length >= tenantLimit) throw tooManyKeys(tenantLimit);
  await tx.apiKeys.insert(key);
  return key;
}

const tooManyKeys = (limit: number): AppError =>
  new AppError('quota_exceeded', {
    message: `There are ${limit} keys, which is the limit. Revoke one first.`,
    messageZh: `已有 ${limit} 个密钥，达到上限。请先吊销一个。`,
    details: { limit },
  });
