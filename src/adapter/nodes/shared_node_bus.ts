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

/** The topic of the announcements themselves. */
const ANNOUNCED = 'announced';

/** `new`: the node has not announced the keys before, or may have missed what belongs to them. Without keys: the node asks for those of the others. */
interface Announcement {
  topic: AnnouncedTopic;
  keys: string[];
  state: 'new' | 'still' | 'over';
}

interface Batch {
  node: string;
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

  async close(): Promise<void> {
    this.stopTimer();
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

  private flush(): void {
    if (this.waiting.length === 0) return;
    this.deps.transport.send(`{"node":${JSON.stringify(this.deps.self)},"messages":[${this.waiting.join(',')}]}`);
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private receive(text: string): void {
    const { self, onError } = this.deps;
    try {
      const { node, messages }: Batch = JSON.parse(text);
      if (node === self) return;
      for (const [topic, message] of messages) {
        if (topic === ANNOUNCED) this.noteAnnouncement(node, message as Announcement);
        for (const listener of this.listeners.get(topic) ?? []) listener(message, node);
      }
    } catch (thrown) {
      onError('a message of another node could not be handled', thrown);
    }
  }

  private tell(announcement: Announcement): void {
    this.send(ANNOUNCED, announcement);
  }

  /** An announcement without keys comes from a node that begins or has missed messages: it wants to hear what the others announce. */
  private noteAnnouncement(node: string, { topic, keys, state }: Announcement): void {
    const { announcements } = this;
    const now = this.deps.clock.now();
    if (keys.length === 0) this.tellAll('still');
    for (const key of keys) {
      if (state === 'over') announcements.dropOther(node, topic, key);
      else announcements.noteOther(node, topic, key, now);
      if (state === 'new') for (const listener of this.announced.get(topic) ?? []) listener(key);
    }
  }

  private tellAll(state: 'new' | 'still'): void {
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
      this.tellAll('still');
      this.scheduleRepeat();
    });
  }
}

function addTo<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}
