/** The sources of numbers that are read when Prometheus asks. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

/** A Socket.IO connection. */
export interface SocketFacts {
  transport: string;
  bufferedBytes: number;
}

export interface MetricsSources {
  store: Store;
  clock: Clock;
  onError: LogError;
  version: string;
  /** The database: a label of the metrics of the store. */
  storeKind: 'sqlite' | 'postgres';
  listAgents: () => readonly string[];
  listModels: () => readonly { provider: string; model: string }[];
  /** Absent without an embedding model. */
  embedding?: { provider: string; model: string };
  /** True for models that the operator has named, in the settings or in a profile. */
  hasModel: (name: string) => boolean;
  listTools: () => readonly { name: string; toolset: string; origin?: string }[];
  findTool: (name: string) => { name: string; toolset: string; origin?: string } | undefined;
  listMcpServers: () => readonly { state: string }[];
  /** Runs that execute here and have stored and shown no event for `milliseconds`, and wait for no person. */
  countStuckRuns: (milliseconds: number) => number;
  isAccepting: () => boolean;
}

/** The text that Prometheus reads, and its media type. */
export interface Exposition {
  contentType: string;
  text: string;
}

/** The framework below the doors. */
export interface Framework {
  /** Lists the open Socket.IO connections. */
  listSockets: () => readonly SocketFacts[];
  /** Returns the version of Midway. */
  readVersion: () => string;
}

/** The facts that the doors know. */
export interface DoorFacts {
  /** The version of Midway. */
  midway: string;
  /** Events that were sent to Socket.IO clients, by type. */
  sentEvents: ReadonlyMap<string, number>;
  sockets: readonly SocketFacts[];
  /** Routes of the event streams that are open. */
  streams: readonly string[];
}
