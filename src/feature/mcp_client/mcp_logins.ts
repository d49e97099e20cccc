/**
 * Logins of the gateway at MCP servers that have begun: a person is at the server's own page, and the browser comes back with a code, to any gateway
 * on the store.
 */
import { AppError, invalidField } from '../../errors';
import type { IdSource } from '../../port/clock';
import { McpError, type McpPort, type McpTarget } from '../../port/mcp';
import type { Actor, Principal } from '../../port/principal';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { contentHash } from '../../utils/content_hash';
import { LoginKeeper, type LoginKeeperDeps } from './login_keeper';

export interface McpLoginDeps extends LoginKeeperDeps {
  mcp: Pick<McpPort, 'beginLogin' | 'finishLogin' | 'revokeLogin'>;
  ids: IdSource;
  auditLog: AuditRecorder;
  /** Origins of other pages that show the gateway. */
  origins: readonly string[];
}

/** Begins a login. `ownHost`: host and port under which the caller sees the gateway. */
export interface LoginRequest {
  redirectUrl: string;
  ownHost: string;
  actor: Principal & Actor;
}

/** A login that has begun, as the store keeps it. */
interface Begun {
  name: string;
  url: string;
  /** The part of the adapter. */
  step: string;
  actor: Actor;
}

const LIMIT_MS = 10 * 60_000;
/** The path of the route to which a browser comes back. */
const CALLBACK = /\/api\/v1\/mcp-servers\/callback$/;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])$/;

export class McpLogins {
  constructor(private readonly deps: McpLoginDeps) {}

  keeperOf(name: string, target: McpTarget): LoginKeeper {
    return new LoginKeeper(name, urlOf(target), this.deps);
  }

  /** Resolves with the address at which a person lets the gateway in. Rejects with `invalid_request`. */
  async begin(name: string, target: McpTarget, { redirectUrl, ownHost, actor }: LoginRequest): Promise<string> {
    assertRedirectUrl(redirectUrl, ownHost, this.deps.origins);
    const { mcp, clock, ids, store, sealer } = this.deps;
    const state = ids.uuid();
    const known = await this.keeperOf(name, target).read();
    const { url, step } = await asAppError(() => mcp.beginLogin(target, { redirectUrl, state, known }));
    const { tenantId, keyName, through } = actor;
    const begun: Begun = { name, url: urlOf(target), step, actor: { tenantId, keyName, ...(through !== undefined && { through }) } };
    const stateHash = contentHash(state);
    const sealed = sealer.seal(JSON.stringify(begun), stateHash);
    await store.transaction('none', tx => tx.mcpLogins.insertStep({ stateHash, sealed, expiresAt: clock.now() + LIMIT_MS }));
    return url;
  }

  /** Forgets logins that were begun and never ended. */
  async deleteOld(): Promise<void> {
    const { store, clock } = this.deps;
    await store.transaction({ leader: 'housekeeping' }, tx => tx.mcpLogins.deleteOldSteps(clock.now()));
  }

  /**
   * Ends a login; its state counts once. `targetOf` returns the server of a name as it is configured now. Resolves with the name of the server. Rejects
   * with `not_found` and `invalid_request`.
   */
  async finish(
    { state, code, iss }: { state: string; code: string; iss?: string | undefined },
    targetOf: (name: string) => McpTarget | undefined,
  ): Promise<string> {
    const begun = await this.take(state);
    const target = begun && targetOf(begun.name);
    if (!begun || !target || urlOf(target) !== begun.url) throw noLogin();
    const { name, step, actor } = begun;
    const keeper = this.keeperOf(name, target);
    const login = await asAppError(() => this.deps.mcp.finishLogin(target, { step, code, iss, keeper }));
    await keeper.write(login);
    await this.deps.auditLog.record({ ...byActor(actor), action: 'mcp.login', target: name });
    return name;
  }

  /**
   * Ends the login at a server: revokes its tokens where the server offers that, and forgets them in any case. Rejects with `not_found` when there is no
   * login.
   */
  async end(name: string, target: McpTarget, actor: Actor): Promise<void> {
    const keeper = this.keeperOf(name, target);
    const login = await keeper.read();
    const isDeleted = await keeper.remove();
    if (login === undefined && !isDeleted) throw notLoggedIn(name);
    // Behind the removal: no gateway refreshes the tokens in between.
    const isRevoked = login !== undefined && (await this.deps.mcp.revokeLogin(target, login));
    await this.deps.auditLog.record({ ...byActor(actor), action: 'mcp.logout', target: name, details: { revoked: isRevoked } });
  }

  private async take(state: string): Promise<Begun | undefined> {
    const { store, sealer, clock } = this.deps;
    const stateHash = contentHash(state);
    const row = await store.read.mcpLogins.getStep(stateHash);
    const isMine = row && (await store.transaction('none', tx => tx.mcpLogins.deleteStep(stateHash)));
    const text = isMine && row.expiresAt >= clock.now() ? sealer.open(row.sealed, stateHash) : undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Begun);
  }
}

const urlOf = (target: McpTarget): string => (target.kind === 'http' ? target.url : '');

const noLogin = (): AppError =>
  new AppError('not_found', {
    param: '/state',
    message: 'There is no such login, or it began more than 10 minutes ago. Begin it again.',
    messageZh: '没有这个登录，或者它开始于 10 分钟之前。请重新开始。',
  });

const notLoggedIn = (name: string): AppError =>
  new AppError('not_found', {
    param: '/name',
    message: `The gateway is not logged in at the MCP server ${JSON.stringify(name)}.`,
    messageZh: `网关没有登录 MCP 服务器 ${JSON.stringify(name)}。`,
  });

function assertRedirectUrl(text: string, ownHost: string, origins: readonly string[]): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  const isOwn = url && (isSameHost(url, ownHost) || origins.includes(url.origin));
  if (isSafe && isOwn && CALLBACK.test(url.pathname) && url.search === '') return;
  throw invalidField(
    '/redirectUrl',
    'must be the address of this gateway, with https or of this machine, that ends with /api/v1/mcp-servers/callback.',
    '必须是本网关的地址（https 或本机地址），并以 /api/v1/mcp-servers/callback 结尾。',
  );
}

/** A proxy that ends TLS may not say so, so the protocol of the address counts. */
function isSameHost(url: URL, ownHost: string): boolean {
  const own = `${url.protocol}//${ownHost}`;
  if (!URL.canParse(own)) return false;
  const { hostname, port } = new URL(own);
  return port === url.port && (hostname === url.hostname || (LOOPBACK.test(hostname) && LOOPBACK.test(url.hostname)));
}

async function asAppError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof McpError)) throw thrown;
    throw new AppError('invalid_request', { param: '/name', message: thrown.text.en, messageZh: thrown.text['zh-CN'], cause: thrown });
  }
}
