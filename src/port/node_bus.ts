/**
 * Carries short messages between the gateways (nodes) on one store. A message may be lost: whatever must not be lost is in the store, and a message
 * only brings it sooner.
 */

/**
 * What nodes tell one another. events: those of runs, for readers (SharedEventBus). requests: a cancel or an answer for a run of another node is in the
 * store. approvals: an approval got one yes and needs more. toolCalls: a tool call is to stop. steering: a steering message for a run is in the
 * store. queue: a run waits at a gateway without a free slot. switches, keys, jobs, webhooks, push: their rows have changed. mcpSessions: a client has ended a session or a request of the MCP door. sessions: the list of sessions of a tenant has changed. access:
 * it has changed who sees a session. presence: who looks at a session, and who types.
 */
export type NodeTopic =
  | 'events'
  | 'requests'
  | 'approvals'
  | 'toolCalls'
  | 'steering'
  | 'queue'
  | 'switches'
  | 'keys'
  | 'jobs'
  | 'webhooks'
  | 'push'
  | 'mcpSessions'
  | 'sessions'
  | 'access'
  | 'presence';

/**
 * What nodes announce. readers: sessions that have readers. approvers: sessions whose reader can decide an approval. sessionLists: tenants whose list of
 * sessions is shown.
 */
export type AnnouncedTopic = 'readers' | 'approvers' | 'sessionLists';

export type NodeListener = (message: unknown, from: string) => void;

/**
 * @example
 * import type { NodeBus } from './node_bus';
 *
 * // Other gateways read the switches at once instead of at their next look.
 * export function followSwitches(bus: NodeBus, read: () => void): () => void {
 *   bus.subscribe('switches', read);
 *   bus.onLoss(read);
 *   return () => bus.publish('switches', {});
 * }
 */
export interface NodeBus {
  /** The longest message in bytes of JSON that `publish` carries. */
  readonly maxBytes: number;
  /** Sends a message, JSON, to every other node. Returns at once; false when the message is longer than `maxBytes` and is not sent. */
  publish(topic: NodeTopic, message: object): boolean;
  /** Calls `listener` with each message of another node, in the order in which that node sent them. */
  subscribe(topic: NodeTopic, listener: NodeListener): void;
  /** Tells the other nodes that `key` is wanted or present here, such as a session that has readers. Call the returned function at its end. */
  announce(topic: AnnouncedTopic, key: string): () => void;
  /** Returns true while another node announces the key. */
  isAnnounced(topic: AnnouncedTopic, key: string): boolean;
  /** Calls `listener` when a node begins to announce a key. A node that may have missed messages announces its keys again. */
  onAnnounced(topic: AnnouncedTopic, listener: (key: string) => void): void;
  /** Sends the messages that wait for others, now. */
  flush(): void;
  /** True while no other node is heard. */
  readonly isAlone: boolean;
  /** Calls `listener` when messages of other nodes may have been lost. */
  onLoss(listener: () => void): void;
  /** Sends what waits and ends the connections. */
  close(): Promise<void>;
}

/** The bus of a gateway that hears no other. */
export const NO_OTHER_NODES: NodeBus = {
  maxBytes: Number.MAX_SAFE_INTEGER,
  isAlone: true,
  publish: () => false,
  flush: () => {},
  subscribe: () => {},
  announce: () => () => {},
  isAnnounced: () => false,
  onAnnounced: () => {},
  onLoss: () => {},
  close: async () => {},
};
