/** Tells those who show the list of sessions of a tenant that it has changed, here or at another gateway: a session, or whether its run works or waits. */
import type { NodeBus } from '../../port/node_bus';
import type { RunEvent } from '../../port/run_event';

/** Changes within this time are told together, so that many runs do not make every page read its list again and again. Milliseconds. */
const TOGETHER_MS = 300;
/** Events after which a run waits for a person, or goes on. */
const CHANGES: ReadonlySet<RunEvent['type']> = new Set(['clarify_request', 'clarify_end', 'approval_request', 'approval_end']);

interface Watchers {
  listeners: Set<() => void>;
  /** Tells the other gateways that no connection watches here any more. */
  unannounce: () => void;
}

export class SessionWatch {
  private readonly watchers = new Map<string, Watchers>();
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly nodeBus: NodeBus) {
    nodeBus.subscribe('sessions', message => this.tell((message as { tenantId: string }).tenantId));
    nodeBus.onLoss(() => {
      for (const tenantId of this.watchers.keys()) this.tell(tenantId);
    });
  }

  /** Calls `onChange` soon after each change, until the returned function is called. */
  watch(tenantId: string, onChange: () => void): () => void {
    const ofTenant = this.watchers.get(tenantId) ?? this.beginWatch(tenantId);
    ofTenant.listeners.add(onChange);
    return () => {
      ofTenant.listeners.delete(onChange);
      if (ofTenant.listeners.size > 0 || this.watchers.get(tenantId) !== ofTenant) return;
      this.watchers.delete(tenantId);
      ofTenant.unannounce();
    };
  }

  /** True while a connection of this gateway or of another one shows the list of sessions of the tenant. */
  isWatched(tenantId: string): boolean {
    return this.watchers.has(tenantId) || this.nodeBus.isAnnounced('sessionLists', tenantId);
  }

  /** Call it when a session of the tenant has changed. */
  noteChange(tenantId: string): void {
    if (this.watchers.size === 0 && this.nodeBus.isAlone) return;
    this.changed.add(tenantId);
    this.timer ??= setTimeout(() => this.tellAll(), TOGETHER_MS).unref();
  }

  /** As `noteChange`, when one of the events says that a run waits for a person or goes on. Quick for all others. */
  noteEvents(tenantId: string, events: readonly { event: RunEvent }[]): void {
    if (events.some(({ event }) => CHANGES.has(event.type))) this.noteChange(tenantId);
  }

  private beginWatch(tenantId: string): Watchers {
    const watchers = { listeners: new Set<() => void>(), unannounce: this.nodeBus.announce('sessionLists', tenantId) };
    this.watchers.set(tenantId, watchers);
    return watchers;
  }

  private tellAll(): void {
    this.timer = undefined;
    for (const tenantId of this.changed) {
      this.tell(tenantId);
      this.nodeBus.publish('sessions', { tenantId });
    }
    this.changed.clear();
  }

  private tell(tenantId: string): void {
    for (const onChange of [...(this.watchers.get(tenantId)?.listeners ?? [])]) onChange();
  }
}
