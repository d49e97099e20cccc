/** Keeps who looks at one session: the connections of this gateway, and the people whom other gateways tell of. */
import type { AccessCaller } from './session_access';
import type { SessionNotice } from './session_notice';

/** A person or a key that looks, as gateways tell each other. `tabs`: connections. */
export interface Present {
  handle: string;
  tabs: number;
  typing: boolean;
}

/** A connection that looks at the session. */
export interface Looker {
  caller: AccessCaller & { keyName: string };
  /** Sends a notice. Returns false when it was dropped because the reader is slow. */
  tell(notice: SessionNotice): boolean;
  /** Milliseconds of the monotonic clock. */
  typingUntil: number;
  /** The list of people that the connection has, as JSON. Undefined before the first one, and after one was dropped. */
  told?: string;
  cancelTypingEnd(): void;
}

/** The most people of one list; more are left out. */
const MAX_PEOPLE = 50;

export class LookerRoom {
  readonly lookers = new Set<Looker>();
  /** What this gateway has told the others, as JSON. */
  published = '[]';
  /** Known after the first list of people was told. */
  accessId?: string;
  /** When a list of people was told last, of the monotonic clock. */
  toldAt = Number.NEGATIVE_INFINITY;
  /** Cancels the next list. Undefined while none is due. */
  cancelNext?: () => void;
  /** Callers who wait for what other gateways tell. */
  askers = 0;
  /** Gateway -> its people, and when it told of them. */
  private readonly others = new Map<string, { people: readonly Present[]; at: number }>();

  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
  ) {}

  get isEmpty(): boolean {
    return this.lookers.size === 0 && this.askers === 0;
  }

  /** True when everybody who looks is the same person or key as far as this gateway knows. */
  get isSolitary(): boolean {
    const [first] = this.lookers;
    return this.others.size === 0 && [...this.lookers].every(({ caller }) => caller.keyName === first?.caller.keyName);
  }

  /** Returns true when the gateway tells something new. */
  noteOther(node: string, people: readonly Present[], now: number): boolean {
    const before = this.others.get(node)?.people ?? [];
    if (people.length > 0) this.others.set(node, { people, at: now });
    else this.others.delete(node);
    return JSON.stringify(before) !== JSON.stringify(people);
  }

  /** Drops gateways that have told nothing since `time`. Returns true when there was one. */
  dropOthersBefore(time: number): boolean {
    const gone = [...this.others].filter(([, { at }]) => at < time);
    for (const [node] of gone) this.others.delete(node);
    return gone.length > 0;
  }

  /** Lists who looks over this gateway, by handle. */
  listOwn(now: number): Present[] {
    return merge([...this.lookers].map(({ caller, typingUntil }) => ({ handle: caller.keyName, tabs: 1, typing: typingUntil > now })));
  }

  /** Lists who looks over any gateway, by handle. */
  listAll(now: number): Present[] {
    return merge([...this.listOwn(now), ...[...this.others.values()].flatMap(({ people }) => people)]);
  }
}

function merge(rows: readonly Present[]): Present[] {
  const byHandle = [...Map.groupBy(rows, ({ handle }) => handle)];
  const people = byHandle.map(([handle, same]) => ({
    handle,
    tabs: same.reduce((sum, { tabs }) => sum + tabs, 0),
    typing: same.some(({ typing }) => typing),
  }));
  return people.sort((a, b) => (a.handle < b.handle ? -1 : 1)).slice(0, MAX_PEOPLE);
}
