/**
 * Tells the connections that follow a session who else follows it and who types, at all gateways on the store. Gateways tell each other of a session
 * only while both have a reader of it. Nothing is stored: what a gateway tells expires unless it repeats it.
 */
import type { Clock } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import type { CallingPerson } from '../../port/principal';
import { toIsoTime } from '../../utils/iso_time';
import { type Looker, LookerRoom, type Present } from './looker_room';
import type { Access, AccessCaller, AccessChange, SessionAccess } from './session_access';
import type { PresentPerson, SessionNotice } from './session_notice';

/** A tenant and one of its sessions. */
interface SessionKey {
  tenantId: string;
  sessionId: string;
}

/** A connection that looks at a session. */
export interface Looking {
  /** Call it when the person types; it counts for 6 seconds. */
  noteTyping(): void;
  /** Call it when the person has sent what was typed. */
  endTyping(): void;
  leave(): void;
}

/** `asks`: the gateway wants to hear who looks over the others. */
interface Message extends SessionKey {
  people: readonly Present[];
  asks: boolean;
}

export interface SessionPresenceDeps {
  clock: Clock;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'isAnnounced' | 'onAnnounced' | 'onLoss' | 'flush'>;
  sessionAccess: Pick<SessionAccess, 'isInUse' | 'accessOf' | 'partOf' | 'onChange'>;
  people: { findPerson(tenantId: string, handle: string): CallingPerson | undefined };
}

const TOPIC = 'presence';
/** Sessions that have a reader at another gateway are announced under this topic. */
const READERS = 'readers';
const TYPING_MS = 6_000;
/** Changes of a session within this time are told together. */
const TOGETHER_MS = 500;
const REPEAT_MS = 10_000;
const EXPIRES_MS = 25_000;
/** How long a gateway that has no connection of the session waits for what others tell. */
const ANSWER_MS = 150;

export class SessionPresence {
  /** By the id of the session, which belongs to one tenant. */
  private readonly rooms = new Map<string, LookerRoom>();
  private cancelRepeat: (() => void) | undefined;

  constructor(private readonly deps: SessionPresenceDeps) {
    const { nodeBus, sessionAccess } = deps;
    nodeBus.subscribe(TOPIC, (message, node) => this.receive(message as Message, node));
    nodeBus.onAnnounced(READERS, sessionId => this.publish(this.rooms.get(sessionId), true));
    nodeBus.onLoss(() => {
      for (const room of this.rooms.values()) this.publish(room, true);
    });
    sessionAccess.onChange(change => this.noteAccessChange(change));
  }

  /** Adds a connection. It is told who looks at once, and then of each change until it leaves. */
  join({ tenantId, sessionId }: SessionKey, caller: Looker['caller'], tell: Looker['tell']): Looking {
    const room = this.openRoom(tenantId, sessionId);
    if (!room) return NOT_LOOKING;
    const looker: Looker = { caller, tell, typingUntil: Number.NEGATIVE_INFINITY, cancelTypingEnd: () => {} };
    room.lookers.add(looker);
    this.tellSoon(room);
    return {
      noteTyping: () => this.setTyping(room, looker, TYPING_MS),
      endTyping: () => this.setTyping(room, looker, 0),
      leave: () => {
        looker.cancelTypingEnd();
        if (room.lookers.delete(looker)) this.tellSoon(room);
      },
    };
  }

  /** Resolves with who looks at the session now, at all gateways. The caller must see the session. */
  async listPeople({ tenantId, sessionId }: SessionKey): Promise<PresentPerson[]> {
    const known = this.rooms.get(sessionId);
    const room = known ?? (this.deps.nodeBus.isAnnounced(READERS, sessionId) ? this.openRoom(tenantId, sessionId) : undefined);
    if (room?.tenantId !== tenantId) return [];
    if (room.lookers.size === 0) await this.askOthers(room);
    return this.peopleIn(room, await this.accessOf(room));
  }

  /** Tells the other gateways that nobody looks over this one any more. */
  stop(): void {
    this.cancelRepeat?.();
    for (const room of this.rooms.values()) {
      room.cancelNext?.();
      for (const looker of room.lookers) looker.cancelTypingEnd();
      room.lookers.clear();
      this.publish(room, false);
    }
    this.rooms.clear();
  }

  private openRoom(tenantId: string, sessionId: string): LookerRoom | undefined {
    const known = this.rooms.get(sessionId);
    if (known) return known.tenantId === tenantId ? known : undefined;
    const room = new LookerRoom(tenantId, sessionId);
    this.rooms.set(sessionId, room);
    this.cancelRepeat ??= this.deps.clock.after(REPEAT_MS, () => this.repeat());
    return room;
  }

  private setTyping(room: LookerRoom, looker: Looker, forMs: number): void {
    if (!room.lookers.has(looker)) return;
    const { clock } = this.deps;
    const wasTyping = looker.typingUntil > clock.monotonic();
    looker.cancelTypingEnd();
    looker.typingUntil = clock.monotonic() + forMs;
    if (forMs > 0) looker.cancelTypingEnd = clock.after(forMs, () => this.tellTyping(room));
    if (wasTyping !== forMs > 0) this.tellTyping(room);
  }

  /** Tells others. A person who is alone in the session is told nothing. */
  private tellTyping(room: LookerRoom): void {
    if (!room.isSolitary) this.tellSoon(room);
  }

  private tellSoon(room: LookerRoom): void {
    const { clock } = this.deps;
    const wait = Math.max(0, room.toldAt + TOGETHER_MS - clock.monotonic());
    room.cancelNext ??= clock.after(wait, () => void this.tell(room));
  }

  /** Tells the other gateways and the connections here. What cannot be told now is told with the next repetition. */
  private async tell(room: LookerRoom): Promise<void> {
    const { clock } = this.deps;
    room.cancelNext = undefined;
    room.toldAt = clock.monotonic();
    const text = JSON.stringify(room.listOwn(clock.monotonic()));
    if (text !== room.published) this.publish(room, room.published === '[]');
    if (room.isEmpty) return this.close(room);
    try {
      const access = await this.accessOf(room);
      room.accessId = access?.accessId;
      this.tellLookers(room, access);
    } catch {
      // The store is unavailable.
      for (const looker of room.lookers) looker.told = undefined;
    }
  }

  private tellLookers(room: LookerRoom, access: Access | undefined): void {
    const people = this.peopleIn(room, access);
    const told = JSON.stringify(people);
    // One object for all connections is encoded once.
    const notice: SessionNotice = { v: 1, type: 'presence', sessionId: room.sessionId, ts: toIsoTime(this.deps.clock.now()), people };
    for (const looker of room.lookers) {
      if (looker.told === told || !this.partOf(room, looker.caller.keyName, access)) continue;
      looker.told = looker.tell(notice) ? told : undefined;
    }
  }

  /** Lists those who see the session. Whoever was removed just now may still be connected. */
  private peopleIn(room: LookerRoom, access: Access | undefined): PresentPerson[] {
    const { clock, people } = this.deps;
    return room.listAll(clock.monotonic()).flatMap(({ handle, typing, tabs }) => {
      const part = this.partOf(room, handle, access);
      const name = people.findPerson(room.tenantId, handle)?.name ?? handle;
      return part === undefined ? [] : [{ handle, name, part, typing, tabs }];
    });
  }

  private partOf({ tenantId }: LookerRoom, keyName: string, access: Access | undefined): PresentPerson['part'] | undefined {
    const caller: AccessCaller = { tenantId, keyName };
    return access ? this.deps.sessionAccess.partOf(caller, access) : this.deps.sessionAccess.isInUse ? undefined : 'everybody';
  }

  /** Undefined while nothing is private, so that nothing is read. */
  private async accessOf({ tenantId, sessionId }: LookerRoom): Promise<Access | undefined> {
    const { sessionAccess } = this.deps;
    return sessionAccess.isInUse ? sessionAccess.accessOf(tenantId, sessionId) : undefined;
  }

  private close(room: LookerRoom): void {
    if (this.rooms.get(room.sessionId) === room) this.rooms.delete(room.sessionId);
  }

  /** Tells the other gateways who looks over this one. Sends nothing while no other one has a reader of the session. */
  private publish(room: LookerRoom | undefined, asks: boolean): void {
    if (!room || !this.deps.nodeBus.isAnnounced(READERS, room.sessionId)) return;
    const { tenantId, sessionId } = room;
    const people = room.listOwn(this.deps.clock.monotonic());
    const message: Message = { tenantId, sessionId, people, asks };
    if (this.deps.nodeBus.publish(TOPIC, message)) room.published = JSON.stringify(people);
  }

  private receive({ tenantId, sessionId, people, asks }: Message, node: string): void {
    const room = this.rooms.get(sessionId);
    if (room?.tenantId !== tenantId) return;
    if (asks && room.lookers.size > 0) this.publish(room, false);
    if (room.noteOther(node, people, this.deps.clock.monotonic())) this.tellSoon(room);
  }

  private async askOthers(room: LookerRoom): Promise<void> {
    const { clock, nodeBus } = this.deps;
    room.askers += 1;
    this.publish(room, true);
    nodeBus.flush();
    await new Promise<void>(resolve => clock.after(ANSWER_MS, resolve));
    room.askers -= 1;
    if (room.isEmpty) this.close(room);
  }

  /** Tells also participants who were removed: their next request is refused. */
  private noteAccessChange(change: AccessChange | undefined): void {
    for (const room of this.rooms.values()) {
      const isOther = change && room.accessId !== undefined && (change.tenantId !== room.tenantId || change.accessId !== room.accessId);
      if (isOther) continue;
      this.tellSoon(room);
      if (!change || change.tenantId !== room.tenantId || change.accessId !== room.accessId) continue;
      const ts = toIsoTime(this.deps.clock.now());
      for (const looker of room.lookers) looker.tell({ v: 1, type: 'participants_changed', sessionId: room.sessionId, ts });
    }
  }

  private repeat(): void {
    const { clock } = this.deps;
    for (const room of this.rooms.values()) {
      if (room.dropOthersBefore(clock.monotonic() - EXPIRES_MS)) this.tellSoon(room);
      if ([...room.lookers].some(({ told }) => told === undefined)) this.tellSoon(room);
      if (room.lookers.size > 0) this.publish(room, false);
    }
    this.cancelRepeat = this.rooms.size > 0 ? clock.after(REPEAT_MS, () => this.repeat()) : undefined;
  }
}

/** For a session that another tenant has under the same id. */
const NOT_LOOKING: Looking = { noteTyping: () => {}, endTyping: () => {}, leave: () => {} };
