/** Stores the state of each session's terminal and runs its commands one after another. */
import type { Clock } from '../../port/clock';
import type { TerminalState } from '../../port/shell';
import type { Store } from '../../port/store/store';
import type { Terminal } from '../../tools/session_state';
import { KeyedLock } from '../../utils/keyed_lock';

export class TerminalService {
  private readonly lock = new KeyedLock();

  constructor(private readonly ports: { store: Store; clock: Clock }) {}

  /** Returns the terminal of a session. Commands of one session run one after another, each from the state that the last one left. */
  terminalFor(tenantId: string, sessionId: string): Terminal {
    return {
      use: work =>
        this.lock.run(`${tenantId}/${sessionId}`, async () => {
          const record = await this.ports.store.read.terminals.get(tenantId, sessionId);
          const { result, next } = await work(record?.state);
          if (next) await this.remember(tenantId, sessionId, next);
          return result;
        }),
    };
  }

  private remember(tenantId: string, sessionId: string, state: TerminalState): Promise<void> {
    const record = { tenantId, sessionId, state, updatedAt: this.ports.clock.now() };
    return this.ports.store.transaction({ session: record }, async tx => {
      // The session may have been deleted while its command ran.
      if (await tx.sessions.get(tenantId, sessionId)) await tx.terminals.put(record);
    });
  }
}
