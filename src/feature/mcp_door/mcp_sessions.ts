/**
 * Sessions of MCP clients. A session belongs to the API key that opened it. A session ends when its client ends it with that key, after half an hour
 * without a request, and in favour of a newer session when its key has too many. Sessions are in the store, and any gateway on the store serves them:
 * each keeps what it needs of a session in memory (the peer), from the first request that reaches it. Gateways tell each other which session or which
 * request a client has ended.
 */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { NodeBus } from '../../port/node_bus';
import type { Principal } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { AuthService } from '../../service/auth/auth_service';
import type { Identity } from '../../service/auth/key_ring';
import type { McpSessionRecord } from './store/mcp_session_records';

/** The part of a session that a door keeps. */
export interface McpSessionPeer {
  /** Ends the connections of the client. `isByClient`: the client ended the session, so its calls need no answer. Must not throw. */
  end(options: { isByClient: boolean }): void;
  /** Ends a request that the client has cancelled at another gateway. Must not throw. */
  cancelRequest(requestId: string | number): void;
  /** Tells the client that its list of tools may have changed. Must not throw. */
  announceTools(): void;
}

/** The facts about its client that a session keeps. */
export type McpSessionFacts = Pick<McpSessionRecord, 'locale' | 'answersJson' | 'canAsk' | 'protocolVersion'>;

interface Session {
  tenantId: string;
  owner: string;
  peer: McpSessionPeer;
  /** Requests and streams that are open. */
  requests: number;
  /** Monotonic milliseconds of the end of the last request. */
  lastUsedAt: number;
  /** Monotonic milliseconds at which the store was told of a request. */
  toldAt: number;
  forgetCaller: () => void;
}

/** A client has ended a session, or one of its requests. */
type Message = { ended: string; isByClient: boolean } | { sessionId: string; cancelled: string | number };

export interface McpSessionsDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  nodeBus: NodeBus;
  auth: Pick<AuthService, 'followConnection'>;
  onError: LogError;
}

/** Limits of sessions; an idle peer takes about 50 kB. */
const MAX_OF_KEY = 100;
const MAX_PEERS = 1_000;
const IDLE_MS = 30 * 60_000;
const CHECK_MS = 60_000;
/** While requests follow each other the store is told this often. */
const TELL_MS = 5 * 60_000;

export class McpSessions {
  /** In the order of their last use at this gateway, except for sessions in use. */
  private readonly sessions = new Map<string, Session>();
  private stopTimer: (() => void) | undefined;

  constructor(private readonly deps: McpSessionsDeps) {
    const { nodeBus } = deps;
    nodeBus.subscribe('mcpSessions', message => this.receive(message as Message));
    nodeBus.onLoss(() => void this.endMissing());
  }

  /** Opens a session for a caller. Ends the idle session that was used longest ago when its key has too many; rejects with `rate_limited` when all are in use. */
  async openSession<P extends McpSessionPeer>(
    identity: Identity,
    facts: McpSessionFacts,
    createPeer: (id: string) => P,
  ): Promise<{ id: string; peer: P }> {
    const { store, clock, ids } = this.deps;
    const { tenantId, keyId = '' } = identity.principal;
    await this.makeRoomOfKey(tenantId, keyId);
    this.makeRoomForPeer();
    const id = ids.uuid();
    await store.transaction('none', tx => tx.mcpSessions.insert({ tenantId, id, keyId, ...facts, usedAt: clock.now() }));
    const peer = createPeer(id);
    this.add(id, identity, peer);
    return { id, peer };
  }

  /** Resolves undefined for a session that has ended, and for a session of another key. A session of another gateway gets a peer here. */
  async findSession(
    identity: Identity,
    id: string,
    createPeer: (record: McpSessionRecord) => McpSessionPeer,
  ): Promise<McpSessionPeer | undefined> {
    const { tenantId } = identity.principal;
    const owner = ownerOf(identity.principal);
    const known = this.sessions.get(id) ?? (await this.deps.store.read.mcpSessions.get(tenantId, id));
    // Another request of the session may have been first.
    const session = this.sessions.get(id);
    if (session) return session.owner === owner ? session.peer : undefined;
    if (!known || !('keyId' in known) || ownerOf(known) !== owner || known.usedAt < this.oldestUse()) return undefined;
    this.makeRoomForPeer();
    return this.add(id, identity, createPeer(known));
  }

  /** Keeps a session open during a request. Call the returned function once, when the request is over. */
  useSession(id: string): () => void {
    const session = this.sessions.get(id);
    if (!session) return () => {};
    session.requests += 1;
    this.tellStore(id, session);
    return () => {
      session.requests -= 1;
      session.lastUsedAt = this.deps.clock.monotonic();
      // Moves the session to the end of the map, unless it has ended meanwhile.
      if (this.sessions.delete(id)) this.sessions.set(id, session);
    };
  }

  /** Ends a session at every gateway. */
  async endSession(tenantId: string, id: string, { isByClient }: { isByClient: boolean }): Promise<void> {
    this.drop(id, { isByClient });
    await this.deps.store.transaction('none', tx => tx.mcpSessions.delete(tenantId, id));
    // A request that came before the deletion has made a new peer.
    this.drop(id, { isByClient });
    this.send({ ended: id, isByClient });
  }

  /** Tells the other gateways that a client has cancelled a request: one of them may execute it. */
  cancelElsewhere(sessionId: string, requestId: string | number): void {
    this.send({ sessionId, cancelled: requestId });
  }

  /** Deletes what the store has of sessions that nobody used for half an hour. */
  async deleteUnused(): Promise<void> {
    await this.deps.store.transaction('none', tx => tx.mcpSessions.deleteUnused(this.oldestUse()));
  }

  announceTools(): void {
    for (const { peer } of this.sessions.values()) peer.announceTools();
  }

  /** Ends the connections of all clients. The sessions go on at another gateway, and here after a restart. */
  stop(): void {
    this.stopTimer?.();
    for (const id of [...this.sessions.keys()]) this.drop(id, { isByClient: false });
  }

  private add(id: string, identity: Identity, peer: McpSessionPeer): McpSessionPeer {
    const { clock, auth, onError } = this.deps;
    const { tenantId } = identity.principal;
    const forgetCaller = auth.followConnection(identity, () => {
      this.endSession(tenantId, id, { isByClient: false }).catch(thrown => onError('an MCP session could not be ended', thrown));
    });
    const now = clock.monotonic();
    this.sessions.set(id, { tenantId, owner: ownerOf(identity.principal), peer, requests: 0, lastUsedAt: now, toldAt: now, forgetCaller });
    this.stopTimer ??= clock.after(CHECK_MS, () => this.check());
    return peer;
  }

  /** Ends what this gateway has of a session. */
  private drop(id: string, options: { isByClient: boolean }): void {
    const session = this.sessions.get(id);
    if (!session) return;
    this.sessions.delete(id);
    session.forgetCaller();
    session.peer.end(options);
  }

  private async makeRoomOfKey(tenantId: string, keyId: string): Promise<void> {
    const ids = await this.deps.store.read.mcpSessions.idsOfKey(tenantId, keyId);
    if (ids.length < MAX_OF_KEY) return;
    const idle = ids.filter(id => (this.sessions.get(id)?.requests ?? 0) === 0);
    const [first] = idle;
    // The times in the store are some minutes old; this gateway knows the order of its own sessions.
    const oldest = first !== undefined && this.sessions.has(first) ? [...this.sessions.keys()].find(id => idle.includes(id)) : first;
    if (oldest === undefined) throw tooMany();
    await this.endSession(tenantId, oldest, { isByClient: false });
  }

  /** Drops the peer of an idle session: the next request of its client makes a new one. */
  private makeRoomForPeer(): void {
    if (this.sessions.size < MAX_PEERS) return;
    const [oldest] = [...this.sessions].find(([, { requests }]) => requests === 0) ?? [];
    if (oldest === undefined) throw tooMany();
    this.drop(oldest, { isByClient: false });
  }

  private tellStore(id: string, session: Session): void {
    const { store, clock, onError } = this.deps;
    const now = clock.monotonic();
    if (now - session.toldAt < TELL_MS) return;
    session.toldAt = now;
    const usedAt = clock.now();
    store
      .transaction('none', tx => tx.mcpSessions.touch(session.tenantId, id, usedAt))
      .then(
        // The message that told the end was lost.
        exists => exists || this.drop(id, { isByClient: false }),
        thrown => onError('the use of an MCP session could not be stored', thrown),
      );
  }

  private check(): void {
    const { clock } = this.deps;
    const now = clock.monotonic();
    for (const [id, session] of this.sessions) {
      if (session.requests > 0) this.tellStore(id, session);
      else if (now - session.lastUsedAt >= IDLE_MS) this.drop(id, { isByClient: false });
    }
    this.stopTimer = this.sessions.size > 0 ? clock.after(CHECK_MS, () => this.check()) : undefined;
  }

  /** A session whose stored time is older than this has ended. */
  private oldestUse(): number {
    return this.deps.clock.now() - IDLE_MS - TELL_MS;
  }

  private send(message: Message): void {
    this.deps.nodeBus.publish('mcpSessions', message);
  }

  private receive(message: Message): void {
    if ('ended' in message) this.drop(message.ended, message);
    else this.sessions.get(message.sessionId)?.peer.cancelRequest(message.cancelled);
  }

  /** Ends sessions that have ended elsewhere, when messages of other gateways may have been lost. Never rejects. */
  private async endMissing(): Promise<void> {
    try {
      for (const [id, { tenantId }] of [...this.sessions]) {
        if (!(await this.deps.store.read.mcpSessions.get(tenantId, id))) this.drop(id, { isByClient: false });
      }
    } catch (thrown) {
      this.deps.onError('MCP sessions that ended at other gateways could not be read', thrown);
    }
  }
}

function tooMany(): AppError {
  return new AppError('rate_limited', {
    message: `At most ${MAX_OF_KEY} MCP sessions of a key, and ${MAX_PEERS} in all, can be open. End one with DELETE.`,
    messageZh: `每个密钥最多打开 ${MAX_OF_KEY} 个 MCP 会话，总共最多 ${MAX_PEERS} 个。请先用 DELETE 结束一个。`,
    retryAfterMs: CHECK_MS,
  });
}

/** Returns the owner: equal for callers with the same key, who may use each other's sessions. */
const ownerOf = ({ tenantId, keyId = '' }: Pick<Principal, 'tenantId' | 'keyId'>): string => `${tenantId}/${keyId}`;
