/** The sources of numbers that are read when Prometheus asks. */
import type { Clock } from '../../port/clock';
import type { Figure } from '../../port/figure';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { DoorActivity } from '../../service/door/door_activity';

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
  listFigures: () => readonly Figure[];
  /** Reads the figures of features from the store. */
  readStoredFigures: () => Promise<readonly Figure[]>;
  /** Runs that execute here and have stored and shown no event for `milliseconds`, and wait for no person. */
  countStuckRuns: (milliseconds: number) => number;
  isAccepting: () => boolean;
  doors: Pick<DoorActivity, 'sentEvents' | 'listStreams'>;
  /** Lists the open Socket.IO connections. */
  listSockets: () => readonly { transport: string; bufferedBytes: number }[];
}

/** The text that Prometheus reads, and its media type. */
export interface Exposition {
  contentType: string;
  text: string;
}
