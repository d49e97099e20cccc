/**
 * Leases of nodes. A node is a gateway process that shares the store, named by its instance id. It renews its lease every few seconds; while the lease
 * lasts, no other node acquires its runs. A database server measures the time of leases by its own clock, so clocks of nodes may differ; a store
 * in a file uses the `now` of the caller, the clock of the one machine.
 */

export interface NodeLease {
  /** Instance id of the node. */
  owner: string;
  /** End of the lease, in milliseconds since 1970. */
  leaseUntil: number;
}

/**
 * `leaseUntil` or `callerUntil` of a run whose end is the end of its node's lease. It is the latest date of JavaScript: gateways of earlier versions,
 * which renewed a time for each run, leave such a run to its node.
 */
export const WITH_NODE_LEASE = 8_640_000_000_000_000;

export interface NodeLeaseReader {
  /** All nodes that have not ended their lease, also those whose lease is over; by name. */
  list(): Promise<NodeLease[]>;
}

export interface NodeLeaseWriter {
  /** Makes the lease of the node last `lengthMs` from now, whether it has lasted or not. */
  renew(owner: string, time: { now: number; lengthMs: number }): Promise<void>;
  /** Resolves true when the lease of the node is over or ended; then the node cannot renew it before this transaction ends. */
  holdExpired(owner: string, now: number): Promise<boolean>;
  /** Ends the lease of a node that has stopped. */
  end(owner: string): Promise<void>;
  /** Deletes leases that have been over for `agoMs`. */
  deleteExpired(time: { now: number; agoMs: number }): Promise<void>;
}
