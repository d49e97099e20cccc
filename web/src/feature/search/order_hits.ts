/** Puts the hits of one chat together. Pure. */
import type { MessageHit } from '../../api/rest_types';

export interface OrderedHit {
  hit: MessageHit;
  /** True for the first hit of its chat, which names the chat. */
  isFirst: boolean;
}

/** Keeps the order of the chats by their best hit. The branches of a chat have copies of a message; only the best one is left. */
export function orderHits(hits: readonly MessageHit[]): OrderedHit[] {
  const seen = new Set<string>();
  const chats = new Map<string, MessageHit[]>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.runId, hit.role, hit.at, hit.snippet]);
    if (seen.has(key)) continue;
    seen.add(key);
    chats.set(hit.sessionId, [...(chats.get(hit.sessionId) ?? []), hit]);
  }
  return [...chats.values()].flatMap(ofChat => ofChat.map((hit, index) => ({ hit, isFirst: index === 0 })));
}
