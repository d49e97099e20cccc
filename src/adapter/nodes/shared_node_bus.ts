/** The bus between nodes over a transport: sends messages in batches, and keeps what the other nodes announce. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { AnnouncedTopic, NodeBus, NodeListener, NodeTopic } from '../../port/node_bus';
import { Announcements } from './announcements';
import type { NodeTransport } from './node_transport';

/** Messages of this time go out together: one text costs the transport as much as many messages in it. */
const BATCH_MS = 10;
/** A node repeats what it announces after this time. */
const REPEAT_MS = 60_000;
/** Room for the name of the node and the brackets around its messages. */
const ENVELOPE_BYTES = 200;
const ANNOUNCED_AT_ONCE = 100;
/** Another version of the messages is not read: its nodes read the store. */
const VERSION = 1;
/** A node that was not heard for this time counts no longer. */
const GONE_MS = 150_000;

/** The topic of the announcements themselves. */
const ANNOUNCED = 'announced';
/** Sent at intervals, so that others notice a lost text. */
const BEAT = 'beat';

/** `new`: the node has not announced the keys before, or may have missed what belongs to them. Without keys: the node asks for those of the others. */
interface Announcement {
  topic: AnnouncedTopic;
  keys: string[];
  state: 'new' | 'still' | 'over';
}

/** `n` counts the texts of a node: a number that is missing tells that a text was lost. */
interface Batch {
  v: number;
  node: string;
  n: number;
  messages: [topic: string, message: object][];
}

export interface SharedNodeBusDeps {
  transport: NodeTransport;
  clock: Clock;
  /** The name of this node. */
  self: string;
  onError: LogError;
}

export class SharedNodeBus implements NodeBus {
  readonly maxBytes: number;
  private readonly announcements = new Announcements();
  private readonly listeners = new Map<string, NodeListener[]>();
  private readonly announced = new Map<string, ((key: string) => void)[]>();
  private readonly lossListeners: (() => void)[] = [];
  /** Messages as JSON that wait for the end of their batch. */
  private waiting: string[] = [];
  private waitingBytes = 0;
  private sentTexts = 0;
  /** Node -> the number of its newest text, and when it came. */
  private readonly heard = new Map<string, { n: number; at: number }>();
  private stopTimer = () => {};

  constructor(private readonly deps: SharedNodeBusDeps) {
    this.maxBytes = deps.transport.maxBytes - ENVELOPE_BYTES;
    deps.transport.receive(
      text => this.receive(text),
      () => this.handleLoss(),
    );
    this.scheduleRepeat();
  }

  publish(topic: NodeTopic, message: object): boolean {
    return this.send(topic, message);
  }

  subscribe(topic: NodeTopic, listener: NodeListener): void {
    addTo(this.listeners, topic, listener);
  }

  announce(topic: AnnouncedTopic, key: string): () => void {
    if (this.announcements.add(topic, key)) this.tell({ topic, keys: [key], state: 'new' });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (this.announcements.remove(topic, key)) this.tell({ topic, keys: [key], state: 'over' });
    };
  }

  isAnnounced(topic: AnnouncedTopic, key: string): boolean {
    return this.announcements.hasOther(topic, key);
  }

  onAnnounced(topic: AnnouncedTopic, listener: (key: string) => void): void {
    addTo(this.announced, topic, listener);
  }

  onLoss(listener: () => void): void {
    this.lossListeners.push(listener);
  }

  get isAlone(): boolean {
    return this.heard.size === 0;
  }

  async close(): Promise<void> {
    this.stopTimer();
    this.tellAll('over');
    this.flush();
    await this.deps.transport.close();
  }

  private send(topic: string, message: object): boolean {
    const text = JSON.stringify([topic, message]);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > this.maxBytes) return false;
    if (this.waitingBytes + bytes > this.maxBytes) this.flush();
    if (this.waiting.length === 0) this.deps.clock.after(BATCH_MS, () => this.flush());
    this.waiting.push(text);
    this.waitingBytes += bytes;
    return true;
  }

  flush(): void {
    if (this.waiting.length === 0) return;
    this.sentTexts += 1;
    const { transport, self } = this.deps;
    transport.send(`{"v":${VERSION},"node":${JSON.stringify(self)},"n":${this.sentTexts},"messages":[${this.waiting.join(',')}]}`);
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private receive(text: string): void {
    const { self, clock, onError } = this.deps;
    try {
      const { v, node, n, messages }: Batch = JSON.parse(text);
      if (v !== VERSION || node === self) return;
      const last = this.heard.get(node)?.n ?? n - 1;
      if (n <= last) return;
      this.heard.set(node, { n, at: clock.now() });
      for (const [topic, message] of messages) this.handle(topic, message, node);
      if (n > last + 1) this.handleLoss();
    } catch (thrown) {
      onError('a text of another node could not be read', thrown);
    }
  }

  /** Gives a message to its listeners. What one that fails has missed, it reads in the store. */
  private handle(topic: string, message: object, node: string): void {
    try {
      if (topic === ANNOUNCED) this.noteAnnouncement(node, message as Announcement);
      for (const listener of this.listeners.get(topic) ?? []) listener(message, node);
    } catch (thrown) {
      this.deps.onError('a message of another node could not be handled', thrown);
      for (const listener of this.lossListeners) listener();
    }
  }

  private tell({ topic, keys, state }: Announcement): void {
    if (this.send(ANNOUNCED, { topic, keys, state }) || keys.length < 2) return;
    const half = keys.length / 2;
    this.tell({ topic, keys: keys.slice(0, half), state });
    this.tell({ topic, keys: keys.slice(half), state });
  }

  /** An announcement without keys comes from a node that begins or has missed messages: it wants to hear what the others announce. */
  private noteAnnouncement(node: string, { topic, keys, state }: Announcement): void {
    const { announcements } = this;
    const now = this.deps.clock.now();
    if (keys.length === 0) this.tellAll('still');
    for (const key of keys) {
      if (state === 'over') {
        announcements.dropOther(node, topic, key);
        continue;
      }
      const isKnown = announcements.noteOther(node, topic, key, now);
      if (state === 'new' || !isKnown) for (const listener of this.announced.get(topic) ?? []) listener(key);
    }
  }

  private tellAll(state: Announcement['state']): void {
    const byTopic = Map.groupBy(this.announcements.listOwn(), ([topic]) => topic);
    for (const [topic, named] of byTopic) {
      const keys = named.map(([, key]) => key);
      while (keys.length > 0) this.tell({ topic, keys: keys.splice(0, ANNOUNCED_AT_ONCE), state });
    }
  }

  private handleLoss(): void {
    this.tell({ topic: 'readers', keys: [], state: 'new' });
    this.tellAll('new');
    for (const listener of this.lossListeners) listener();
  }

  private scheduleRepeat(): void {
    const { clock } = this.deps;
    this.stopTimer = clock.after(REPEAT_MS, () => {
      this.announcements.expire(clock.now());
      for (const [node, { at }] of this.heard) if (at < clock.now() - GONE_MS) this.heard.delete(node);
      this.tellAll('still');
      this.send(BEAT, {});
      this.scheduleRepeat();
    });
  }
}

function addTo<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}
