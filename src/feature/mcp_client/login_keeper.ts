/** Keeps the login at one server in the store, encrypted, so that every gateway on the store uses and refreshes the same one. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { McpLoginKeeper } from '../../port/mcp';
import type { Sealer } from '../../port/sealer';
import type { SecretStore } from '../../port/secret_store';
import type { Store } from '../../port/store/store';
import { retryWhileStoreUnavailable } from '../../service/retry_while_store_unavailable';
import { contentHash } from '../../utils/content_hash';

export interface LoginKeeperDeps {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  /** Has the logins of earlier versions, which are moved. */
  secretStore: SecretStore;
}

/** A gateway that ended while it changed a login holds it for this long. Longer than all requests of a refresh. */
const HOLD_MS = 60_000;
const POLL_MS = 100;

export class LoginKeeper implements McpLoginKeeper {
  readonly id: string;
  private readonly purpose: string;
  private readonly oldName: string;

  /** A login counts for this name and this address: a server that moves must not get the tokens of another one. */
  constructor(
    name: string,
    private readonly url: string,
    private readonly deps: LoginKeeperDeps,
  ) {
    this.id = contentHash(`${name}\n${url}`);
    this.purpose = `mcp_login ${this.id}`;
    this.oldName = `mcp_login_${name}`;
  }

  /** Resolves undefined also for a login that was encrypted with another key. */
  async read(): Promise<string | undefined> {
    const row = await this.deps.store.read.mcpLogins.get(this.id);
    return row ? this.deps.sealer.open(row.sealed, this.purpose) : this.takeOld();
  }

  async write(login: string): Promise<void> {
    const sealed = this.deps.sealer.seal(login, this.purpose);
    await this.deps.store.transaction('none', tx => tx.mcpLogins.put(this.id, sealed));
    if (this.deps.secretStore.read(this.oldName) !== undefined) await this.deps.secretStore.remove(this.oldName);
  }

  /** Forgets the login. Resolves false when there is none. */
  async remove(): Promise<boolean> {
    const { store, secretStore } = this.deps;
    const isDeleted = await store.transaction('none', tx => tx.mcpLogins.delete(this.id));
    if (secretStore.read(this.oldName) !== undefined) await secretStore.remove(this.oldName);
    return isDeleted;
  }

  async change(change: (login: string) => Promise<string>): Promise<void> {
    const { store, sealer, clock } = this.deps;
    const by = randomUUID();
    if (!(await this.hold(by))) return;
    const heldUntil = clock.now() + HOLD_MS;
    let sealed: string | undefined;
    try {
      const login = await this.read();
      if (login !== undefined) sealed = sealer.seal(await change(login), this.purpose);
    } finally {
      // A login that a person has made since is kept: it ended the hold.
      const endHold = () => store.transaction('none', tx => tx.mcpLogins.endHold(this.id, by, sealed));
      // The server takes a refresh token once, so the new one must not be lost.
      await retryWhileStoreUnavailable(clock, endHold, () => {
        if (sealed === undefined || clock.now() >= heldUntil) throw new AppError('store_unavailable');
      });
    }
  }

  /** Resolves true once no other change is under way; false when there is no login. */
  private async hold(by: string): Promise<boolean> {
    const { store, clock } = this.deps;
    for (;;) {
      const times = { now: clock.now(), lengthMs: HOLD_MS };
      if (await store.transaction('none', tx => tx.mcpLogins.hold(this.id, by, times))) return true;
      if (!(await store.read.mcpLogins.get(this.id))) return false;
      await new Promise<void>(resolve => clock.after(POLL_MS, resolve));
    }
  }

  /** Moves a login that an earlier version kept in plain text. */
  private async takeOld(): Promise<string | undefined> {
    const text = this.deps.secretStore.read(this.oldName);
    if (text === undefined || (JSON.parse(text) as { url?: string }).url !== this.url) return undefined;
    const sealed = this.deps.sealer.seal(text, this.purpose);
    // Another gateway may have moved the login, and refreshed it since.
    await this.deps.store.transaction('none', tx => tx.mcpLogins.insertIfAbsent(this.id, sealed));
    await this.deps.secretStore.remove(this.oldName);
    const row = await this.deps.store.read.mcpLogins.get(this.id);
    return row && this.deps.sealer.open(row.sealed, this.purpose);
  }
}
