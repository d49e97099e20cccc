/** Keeps the login at one server in the store, encrypted, so that every gateway on the store uses and refreshes the same one. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../port/clock';
import type { McpLoginKeeper } from '../../port/mcp';
import type { Sealer } from '../../port/sealer';
import type { SecretStore } from '../../port/secret_store';
import type { Store } from '../../port/store/store';
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

  async change(change: (login: string) => Promise<string>): Promise<void> {
    const { store, sealer } = this.deps;
    const by = randomUUID();
    if (!(await this.hold(by))) return;
    let sealed: string | undefined;
    try {
      const login = await this.read();
      if (login !== undefined) sealed = sealer.seal(await change(login), this.purpose);
    } finally {
      // A login that a person has made since is kept: it ended the hold.
      await store.transaction('none', tx => tx.mcpLogins.endHold(this.id, by, sealed));
    }
  }

  /** Resolves true once no other change is under way; false when there is no login. */
  private async hold(by: string): Promise<boolean> {
    const { store, clock } = this.deps;
    for (;;) {
      const now = clock.now();
      if (await store.transaction('none', tx => tx.mcpLogins.hold(this.id, by, { now, until: now + HOLD_MS }))) return true;
      if (!(await store.read.mcpLogins.get(this.id))) return false;
      await new Promise<void>(resolve => clock.after(POLL_MS, resolve));
    }
  }

  /** Moves a login that an earlier version kept in plain text. */
  private async takeOld(): Promise<string | undefined> {
    const text = this.deps.secretStore.read(this.oldName);
    if (text === undefined || (JSON.parse(text) as { url?: string }).url !== this.url) return undefined;
    await this.write(text);
    return text;
  }
}
