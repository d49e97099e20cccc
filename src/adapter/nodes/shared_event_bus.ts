/**
 * The event bus of a gateway among others: local readers hear the runs of every node. The node that executes a run sends its events to nodes that
 * announce a reader of the session. Lost or long events come from the store: the readers are told to read it again once it has them.
 */
import type { Clock } from '../../port/clock';
import type { EventBus, EventSubscription, RunEventReader } from '../../port/event_bus';
import type { NodeBus } from '../../port/node_bus';
import type { RunEvent } from '../../port/run_event';
import type { LocalEventBus } from '../local/node/event_bus';

/** The topic of announced sessions, and of the events for their readers. */
const READERS = 'readers';
const EVENTS = 'events';

/**
 * `live`: events that are not stored yet; `first` is the seq of the oldest one of the run. `marked`: every event up to `seq` is stored. `epoch`: that
 * of the run at the node which sends.
 */
type Message = { epoch: number } & (
  | { kind: 'live'; events: RunEvent[]; first: number }
  | { kind: 'stored'; events: RunEvent[] }
  | { kind: 'marked' | 'withdrawn'; sessionId: string; runId: string; seq: number }
);

/** A reader often comes back at once: after a new connection, or for the next run. */
const LINGER_MS = 2_000;
/** After this time the other gateways have heard of a reader. */
const HEARD_MS = 300;
/** `nextSeq` of a run that has ended: later messages about the run are late. */
const ENDED = Number.POSITIVE_INFINITY;

interface FollowedSession {
  readers: number;
  /** Tells the other nodes that no reader is left. */
  unannounce: () => void;
}

/** A run of another node, as its events came here; also a run of this node that has ended. */
interface RemoteRun {
  readonly sessionId: string;
  readonly node: string;
  readonly epoch: number;
  /** The seq of the event that must come next. Later events are left out until the store has this one. */
  nextSeq: number;
}

export class SharedEventBus implements EventBus {
  private readonly remote = new Map<string, RemoteRun>();
  /** The epoch of each run that this node has published and that has not ended; no other node executes these runs. */
  private readonly own = new Map<string, number>();
  /** Sessions with readers here, and for a while after the last one has left. */
  private readonly followed = new Map<string, FollowedSession>();

  constructor(
    private readonly local: LocalEventBus,
    private readonly nodes: NodeBus,
    private readonly clock: Clock,
  ) {
    nodes.subscribe(EVENTS, (message, node) => this.receive(message as Message, node));
    nodes.onAnnounced(READERS, sessionId => this.sendLive(sessionId));
    nodes.onLoss(() => this.handleLoss());
  }

  publish(events: readonly RunEvent[], epoch = 0): void {
    const last = events.at(-1);
    if (!last) return;
    this.takeOver(last, epoch);
    this.local.publish(events);
    if (last.type === 'run_end') this.endOwn(last, epoch);
    if (!this.isRead(last.sessionId)) return;
    for (const event of events) {
      if (this.send({ kind: 'stored', epoch, events: [event] })) continue;
      this.send({ kind: 'marked', epoch, sessionId: event.sessionId, runId: event.runId, seq: event.seq });
    }
    // The next run of the session may begin at another gateway at once.
    if (last.type === 'run_end') this.nodes.flush();
  }

  publishLive(events: readonly RunEvent[], epoch = 0): void {
    const [event] = events;
    if (!event) return;
    this.takeOver(event, epoch);
    this.local.publishLive(events);
    if (!this.isRead(event.sessionId)) return;
    const [oldest = event] = this.local.liveRuns(event.sessionId).get(event.runId) ?? [];
    this.sendEvents(events, oldest.seq, epoch);
  }

  markStored(sessionId: string, runId: string, throughSeq: number): void {
    this.local.markStored(sessionId, runId, throughSeq);
    if (this.isRead(sessionId)) this.send({ kind: 'marked', epoch: this.own.get(runId) ?? 0, sessionId, runId, seq: throughSeq });
  }

  withdraw(sessionId: string, runId: string): void {
    // Another gateway may have ended the run, and its events were not passed on here.
    const epoch = this.own.get(runId);
    this.own.delete(runId);
    this.local.withdraw(sessionId, runId);
    if (epoch !== undefined) this.local.tellMissed(sessionId);
    if (this.isRead(sessionId)) this.send({ kind: 'withdrawn', epoch: epoch ?? 0, sessionId, runId, seq: 0 });
  }

  async subscribe(sessionId: string, reader: RunEventReader): Promise<EventSubscription> {
    const { live, stop } = await this.local.subscribe(sessionId, reader);
    const session = this.followed.get(sessionId) ?? this.follow(sessionId);
    session.readers += 1;
    let isStopped = false;
    return {
      live,
      stop: () => {
        stop();
        if (isStopped) return;
        isStopped = true;
        session.readers -= 1;
        if (session.readers === 0) this.clock.after(LINGER_MS, () => this.unfollow(sessionId, session));
      },
    };
  }

  private follow(sessionId: string): FollowedSession {
    const session = { readers: 0, unannounce: this.nodes.announce(READERS, sessionId) };
    this.followed.set(sessionId, session);
    // Events of the time until the other gateways hear of the reader are in the store.
    if (!this.nodes.isAlone) this.clock.after(HEARD_MS, () => this.local.tellMissed(sessionId));
    return session;
  }

  private unfollow(sessionId: string, session: FollowedSession): void {
    if (session.readers > 0 || this.followed.get(sessionId) !== session) return;
    this.followed.delete(sessionId);
    session.unannounce();
    for (const [runId, run] of this.remote) if (run.sessionId === sessionId) this.remote.delete(runId);
    // No other gateway tells this one any more when these events are stored, so they count as stored.
    for (const runId of [...this.local.liveRuns(sessionId).keys()]) {
      if (!this.own.has(runId)) this.local.markStored(sessionId, runId, Number.MAX_SAFE_INTEGER);
    }
  }

  private isRead(sessionId: string): boolean {
    return this.nodes.isAnnounced(READERS, sessionId);
  }

  /** Returns false when the message is too long. */
  private send(message: Message): boolean {
    return this.nodes.publish(EVENTS, message);
  }

  /** Sends live events, one message each when they are too long together. The readers miss an event that is too long alone until it is stored. */
  private sendEvents(events: readonly RunEvent[], first: number, epoch: number): void {
    if (this.send({ kind: 'live', epoch, events: [...events], first }) || events.length === 1) return;
    for (const event of events) this.sendEvents([event], first, epoch);
  }

  /** Sends the events of the session that are not stored yet, to a node whose reader has only those of the store. */
  private sendLive(sessionId: string): void {
    for (const [runId, events] of this.local.liveRuns(sessionId)) {
      const [first] = events;
      const epoch = this.own.get(runId);
      if (first && epoch !== undefined) this.sendEvents(events, first.seq, epoch);
    }
  }

  /** Notes that this node executes the run. What another node has sent and not stored will never be stored. */
  private takeOver({ sessionId, runId }: RunEvent, epoch: number): void {
    if (this.own.has(runId)) return;
    this.own.set(runId, epoch);
    if (this.remote.delete(runId)) this.local.withdraw(sessionId, runId);
  }

  /** Notes the end while the session has readers: a node that lost the run and was stopped since may still send events that were never stored. */
  private endOwn({ sessionId, runId }: RunEvent, epoch: number): void {
    this.own.delete(runId);
    if (this.followed.has(sessionId)) this.remote.set(runId, { sessionId, node: '', epoch, nextSeq: ENDED });
  }

  private receive(message: Message, node: string): void {
    const [event] = 'events' in message ? message.events : [];
    const { sessionId, runId } = 'events' in message ? (event ?? { sessionId: '', runId: '' }) : message;
    if (!this.followed.has(sessionId) || this.own.has(runId)) return;
    const known = this.remote.get(runId);
    if (known && (known.nextSeq === ENDED || message.epoch < known.epoch)) return;
    if (message.kind === 'withdrawn') {
      if (known?.node !== node) return;
      this.remote.delete(runId);
      this.local.withdraw(sessionId, runId);
      return;
    }
    const run = this.runOf(runId, sessionId, node, message);
    if (message.kind === 'live') this.takeLive(run, message.events, message.first);
    else if (message.kind === 'stored') this.takeStored(run, message.events);
    else this.takeMark(run, runId, message.seq);
  }

  /** Finds the run. A new one begins with its oldest live event, or with the event that comes stored. */
  private runOf(runId: string, sessionId: string, node: string, message: Message): RemoteRun {
    const known = this.remote.get(runId);
    if (known?.node === node) return known;
    // The node that executed the run before has died: its events that were not stored are lost.
    if (known) this.local.withdraw(sessionId, runId);
    const nextSeq = message.kind === 'live' ? message.first : message.kind === 'stored' ? (message.events[0]?.seq ?? 0) : 0;
    const run: RemoteRun = { sessionId, node, epoch: message.epoch, nextSeq };
    this.remote.set(runId, run);
    return run;
  }

  private takeLive(run: RemoteRun, events: readonly RunEvent[], first: number): void {
    // Everything before the oldest live event is stored.
    if (first > run.nextSeq) this.takeMark(run, events[0]?.runId ?? '', first - 1);
    const fresh = events.filter(({ seq }) => seq >= run.nextSeq);
    if (fresh[0]?.seq !== run.nextSeq) return;
    run.nextSeq += fresh.length;
    this.local.publishLive(fresh);
  }

  private takeStored(run: RemoteRun, events: readonly RunEvent[]): void {
    const [first] = events;
    const last = events.at(-1);
    if (!first || !last) return;
    // The numbers went back: what was shown behind them was withdrawn.
    if (first.seq < run.nextSeq) this.local.withdraw(run.sessionId, last.runId);
    if (first.seq > run.nextSeq) this.takeMark(run, last.runId, last.seq);
    else this.local.publish(events);
    run.nextSeq = last.type === 'run_end' ? ENDED : last.seq + 1;
  }

  private takeMark(run: RemoteRun, runId: string, seq: number): void {
    this.local.markStored(run.sessionId, runId, seq);
    if (seq < run.nextSeq) return;
    run.nextSeq = seq + 1;
    this.local.tellMissed(run.sessionId);
  }

  /** Events that came before stay: their numbers show what is missing. */
  private handleLoss(): void {
    for (const sessionId of this.followed.keys()) this.local.tellMissed(sessionId);
  }
}
