/** The key pair with which the gateways of one store sign notifications. Made once and kept in the store: a browser trusts the pair it subscribed with. */
import type { Clock } from '../../port/clock';
import type { PushKeys, PushSender } from '../../port/push_sender';
import type { Redactor } from '../../port/redactor';
import type { Store } from '../../port/store/store';

export class PushKeyPair {
  private known: PushKeys | undefined;

  constructor(
    private readonly deps: {
      store: Store;
      clock: Clock;
      sender: Pick<PushSender, 'createKeys'>;
      redactor: Pick<Redactor, 'addSecrets'>;
    },
  ) {}

  /** Reads the key pair, and makes it when the store has none. Rejects with `store_unavailable`. */
  async read(): Promise<PushKeys> {
    if (this.known) return this.known;
    const keys = (await this.deps.store.read.push.keys()) ?? (await this.create());
    this.deps.redactor.addSecrets([keys.privateKey]);
    this.known = keys;
    return keys;
  }

  /** Makes and stores a pair. When two gateways do so at the same time, both use the pair that was stored first. */
  private async create(): Promise<PushKeys> {
    const { store, clock, sender } = this.deps;
    const made = await sender.createKeys();
    return store.transaction('none', async tx => {
      await tx.push.insertKeys(made, clock.now());
      return (await tx.push.keys()) ?? made;
    });
  }
}
