/** Keeps what the nodes announce, by topic and key. An announcement that its node does not repeat expires, because the node may have died. */

import type { AnnouncedTopic } from '../../port/node_bus';

/** An announcement that was not repeated for this time no longer counts. Nodes repeat theirs more than twice as often. */
const EXPIRES_MS = 150_000;

export class Announcements {
  /** Topic and key -> how often this node announces the key. */
  private readonly own = new Map<string, number>();
  /** Topic and key -> node -> the time of its newest announcement. */
  private readonly others = new Map<string, Map<string, number>>();

  /** Counts one announcement of this node. Returns true for the first one. */
  add(topic: AnnouncedTopic, key: string): boolean {
    const name = nameOf(topic, key);
    const count = this.own.get(name) ?? 0;
    this.own.set(name, count + 1);
    return count === 0;
  }

  /** Takes one back. Returns true when it was the last one. */
  remove(topic: AnnouncedTopic, key: string): boolean {
    const name = nameOf(topic, key);
    const left = (this.own.get(name) ?? 0) - 1;
    if (left > 0) this.own.set(name, left);
    else this.own.delete(name);
    return left <= 0;
  }

  listOwn(): [topic: AnnouncedTopic, key: string][] {
    return [...this.own.keys()].map(splitName);
  }

  /** Returns whether the node had announced the key before. */
  noteOther(node: string, topic: AnnouncedTopic, key: string, now: number): boolean {
    const name = nameOf(topic, key);
    const nodes = this.others.get(name) ?? new Map<string, number>();
    const isKnown = nodes.has(node);
    this.others.set(name, nodes.set(node, now));
    return isKnown;
  }

  dropOther(node: string, topic: AnnouncedTopic, key: string): void {
    const name = nameOf(topic, key);
    const nodes = this.others.get(name);
    nodes?.delete(node);
    if (nodes?.size === 0) this.others.delete(name);
  }

  hasOther(topic: AnnouncedTopic, key: string): boolean {
    return this.others.has(nameOf(topic, key));
  }

  /** Drops what other nodes no longer repeat. */
  expire(now: number): void {
    for (const [name, nodes] of this.others) {
      for (const [node, at] of nodes) if (at < now - EXPIRES_MS) nodes.delete(node);
      if (nodes.size === 0) this.others.delete(name);
    }
  }
}

const nameOf = (topic: AnnouncedTopic, key: string): string => `${topic} ${key}`;

function splitName(name: string): [topic: AnnouncedTopic, key: string] {
  const end = name.indexOf(' ');
  return [name.slice(0, end) as AnnouncedTopic, name.slice(end + 1)];
}
