/** Passes on to listeners in this process what the gateway does. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import type {
  EndedWork,
  Fact,
  Observer,
  ObserverListener,
  OpenWork,
  Work,
  WorkBegun,
  WorkEnded,
  WorkKind,
  WorkMark,
} from '../../../port/observer';
import type { Store } from '../../../port/store/store';
import type { TraceContext } from '../../../port/trace_context';
import { withNewSpan } from '../../../port/traceparent';

/** A listener that fails again and again must not fill the log. */
const MAX_LOGGED_FAILURES = 10;

export function createObserver({ clock, onError }: { clock: Clock; onError: LogError }): Observer {
  return new LocalObserver(clock, onError);
}

/** Creates an observer, which is told how long transactions take. */
export function observeStore(store: Store, deps: { clock: Clock; onError: LogError }): { observer: Observer; store: Store } {
  const observer = createObserver(deps);
  return { observer, store: observeTransactions(store, { observer, clock: deps.clock }) };
}

function observeTransactions(store: Store, { observer, clock }: { observer: Observer; clock: Clock }): Store {
  return {
    get read() {
      return store.read;
    },
    get lists() {
      return store.lists;
    },
    transaction(lock, work, options) {
      const begunAt = clock.monotonic();
      const note = (ok: boolean) => observer.note({ type: 'transaction', durationMs: clock.monotonic() - begunAt, ok });
      const result = store.transaction(lock, work, options);
      result.then(
        () => note(true),
        () => note(false),
      );
      return result;
    },
    check: () => store.check(),
    emptyLog: () => store.emptyLog(),
    close: () => store.close(),
  };
}

class LocalObserver implements Observer {
  private listeners: readonly ObserverListener[] = [];
  /** Listeners by kind of work: most listeners want few kinds. */
  private hearers = hearersOf([]);
  private lastId = 0;
  private failures = 0;

  constructor(
    readonly clock: Clock,
    private readonly onError: LogError,
  ) {}

  begin<K extends WorkKind>(kind: K, begun: WorkBegun[K]): OpenWork<K> {
    this.lastId += 1;
    // The kind decides the type of `begun`; the compiler cannot follow that through a union.
    const work = { kind, id: this.lastId, startedAt: this.clock.now(), begun } as unknown as Work;
    const open = new LocalWork<K>(this, work);
    this.tell('workBegun', listener => listener.workBegun?.(work));
    return open;
  }

  note(fact: Fact): void {
    this.tell('factNoted', listener => listener.factNoted?.(fact));
  }

  listen(listener: ObserverListener): () => void {
    this.setListeners([...this.listeners, listener]);
    return () => this.setListeners(this.listeners.filter(other => other !== listener));
  }

  private setListeners(listeners: readonly ObserverListener[]): void {
    this.listeners = listeners;
    this.hearers = hearersOf(listeners);
  }

  tell(what: keyof ObserverListener, call: (listener: ObserverListener) => void): void {
    for (const listener of this.hearers[what]) {
      try {
        call(listener);
      } catch (thrown) {
        this.failures += 1;
        if (this.failures <= MAX_LOGGED_FAILURES) this.onError('a listener of the observer failed', thrown);
      }
    }
  }

  traceOf(work: Work): TraceContext | undefined {
    const given = traceOfCaller(work);
    return this.spanOf(work) ?? (given && withNewSpan(given, randomUUID()));
  }

  spanOf(work: Work): TraceContext | undefined {
    if (this.hearers.traceOf.length === 0) return undefined;
    let found: TraceContext | undefined;
    this.tell('traceOf', listener => {
      found ??= listener.traceOf?.(work);
    });
    return found;
  }
}

function hearersOf(listeners: readonly ObserverListener[]): Record<keyof ObserverListener, readonly ObserverListener[]> {
  const hearing = (what: keyof ObserverListener) => listeners.filter(listener => listener[what] !== undefined);
  return {
    workBegun: hearing('workBegun'),
    workMarked: hearing('workMarked'),
    workEnded: hearing('workEnded'),
    factNoted: hearing('factNoted'),
    traceOf: hearing('traceOf'),
  };
}

const traceOfCaller = ({ begun }: Work): TraceContext | undefined =>
  ('trace' in begun ? begun.trace : undefined) ?? ('run' in begun ? begun.run?.trace : undefined);

class LocalWork<K extends WorkKind> implements OpenWork<K> {
  private readonly begunAt: number;
  private hasEnded = false;

  constructor(
    private readonly observer: LocalObserver,
    private readonly work: Work,
  ) {
    this.begunAt = observer.clock.monotonic();
  }

  get id(): number {
    return this.work.id;
  }

  get trace(): TraceContext | undefined {
    return this.observer.traceOf(this.work);
  }

  mark(mark: WorkMark): void {
    if (this.hasEnded) return;
    const sinceMs = this.elapsedMs;
    this.observer.tell('workMarked', listener => listener.workMarked?.(this.work, mark, sinceMs));
  }

  end(ended: WorkEnded[K]): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const durationMs = this.elapsedMs;
    const { kind, id, startedAt, begun } = this.work;
    const work = { kind, id, startedAt, begun, ended } as unknown as EndedWork;
    // Listeners forget the span with the end.
    const span = this.observer.spanOf(this.work);
    this.observer.tell('workEnded', listener => listener.workEnded?.(work, durationMs, span));
  }

  private get elapsedMs(): number {
    return this.observer.clock.monotonic() - this.begunAt;
  }
}
