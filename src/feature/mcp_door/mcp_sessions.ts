/**
 * Sessions of MCP clients. A session belongs to the API key that opened it. A session ends when its client ends it with that key, after half an hour
 * without a request, and in favour of a newer session when its key, or the gateway, has too many. Sessions live in this process: after a restart
 * clients open new ones.
 */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { AuthService } from '../../service/auth/auth_service';
import type { Identity } from '../../service/auth/key_ring';

/** The part of a session that a door keeps. */
export interface McpSessionPeer {
  /** Ends the connections of the client. `isByClient`: the client ended the session, so its calls need no answer. Must not throw. */
  end(options: { isByClient: boolean }): void;
  /** Tells the client that its list of tools may have changed. Must not throw. */
  announceTools(): void;
}

interface Session {
  owner: string;
  peer: McpSessionPeer;
  /** Requests and streams that are open. */
  requests: number;
  /** Monotonic milliseconds of the end of the last request. */
  lastUsedAt: number;
  forgetCaller: () => void;
}

export interface McpSessionsDeps {
  clock: Clock;
  ids: IdSource;
  auth: Pick<AuthService, 'followConnection'>;
}

/** Limits of sessions; an idle one takes about 50 kB. */
const MAX_OF_KEY = 100;
const MAX_SESSIONS = 1_000;
const IDLE_MS = 30 * 60_000;
const CHECK_MS = 60_000;

export class McpSessions {
  /** In the order of their last use, except for sessions in use. */
  private readonly sessions = new Map<string, Session>();
  private stopTimer: (() => void) | undefined;

  constructor(private readonly deps: McpSessionsDeps) {}

  /** Opens a session for a caller. Ends the idle session that was used longest ago when its key, or the gateway, has too many; throws `rate_limited` when all are in use. */
  openSession<P extends McpSessionPeer>(identity: Identity, createPeer: (id: string) => P): { id: string; peer: P } {
    const { clock, ids, auth } = this.deps;
    const owner = ownerOf(identity.principal);
    this.makeRoom(owner);
    const id = ids.uuid();
    const peer = createPeer(id);
    const forgetCaller = auth.followConnection(identity, () => this.endSession(id, { isByClient: false }));
    this.sessions.set(id, { owner, peer, requests: 0, lastUsedAt: clock.monotonic(), forgetCaller });
    this.stopTimer ??= clock.after(CHECK_MS, () => this.endIdle());
    return { id, peer };
  }

  /** Returns undefined for a session that has ended, and for a session of another key. */
  findSession(principal: Principal, id: string): McpSessionPeer | undefined {
    const session = this.sessions.get(id);
    return session?.owner === ownerOf(principal) ? session.peer : undefined;
  }

  /** Keeps a session open during a request. Call the returned function once, when the request is over. */
  useSession(id: string): () => void {
    const session = this.sessions.get(id);
    if (!session) return () => {};
    session.requests += 1;
    return () => {
      session.requests -= 1;
      session.lastUsedAt = this.deps.clock.monotonic();
      // Moves the session to the end of the map, unless it has ended meanwhile.
      if (this.sessions.delete(id)) this.sessions.set(id, session);
    };
  }

  endSession(id: string, options: { isByClient: boolean }): void {
    const session = this.sessions.get(id);
    if (!session) return;
    this.sessions.delete(id);
    session.forgetCaller();
    session.peer.end(options);
  }

  announceTools(): void {
    for (const { peer } of this.sessions.values()) peer.announceTools();
  }

  stop(): void {
    this.stopTimer?.();
    for (const id of [...this.sessions.keys()]) this.endSession(id, { isByClient: false });
  }

  private makeRoom(owner: string): void {
    const own = [...this.sessions].filter(([, session]) => session.owner === owner);
    const isKeyFull = own.length >= MAX_OF_KEY;
    if (!isKeyFull && this.sessions.size < MAX_SESSIONS) return;
    // Idle sessions of other keys must not keep a key out.
    const [oldest] = (isKeyFull ? own : [...this.sessions]).find(([, { requests }]) => requests === 0) ?? [];
    if (oldest === undefined) {
      throw new AppError('rate_limited', {
        message: `At most ${MAX_OF_KEY} MCP sessions of a key, and ${MAX_SESSIONS} in all, can be open. End one with DELETE.`,
        messageZh: `每个密钥最多打开 ${MAX_OF_KEY} 个 MCP 会话，总共最多 ${MAX_SESSIONS} 个。请先用 DELETE 结束一个。`,
        retryAfterMs: CHECK_MS,
      });
    }
    this.endSession(oldest, { isByClient: false });
  }

  private endIdle(): void {
    const now = this.deps.clock.monotonic();
    for (const [id, { requests, lastUsedAt }] of this.sessions) {
      if (requests === 0 && now - lastUsedAt >= IDLE_MS) this.endSession(id, { isByClient: false });
    }
    this.stopTimer = this.sessions.size > 0 ? this.deps.clock.after(CHECK_MS, () => this.endIdle()) : undefined;
  }
}

/** Returns the owner: equal for callers with the same key, who may use each other's sessions. */
const ownerOf = ({ tenantId, keyId = '' }: Principal): string => `${tenantId}/${keyId}`;
