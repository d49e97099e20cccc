/** Steering messages: what people send into a running turn. Each waits in the store until the loop takes it. */
import type { FileReference, ImageReference } from '../llm';

export interface SteeringMessage {
  tenantId: string;
  id: string;
  sessionId: string;
  runId: string;
  text: string;
  /** The caller who sent it. Absent in messages of older gateways. */
  writtenBy?: string | undefined;
  /** Images of the message; they are stored already. */
  images?: readonly ImageReference[];
  /** PDF files of the message, as `images`. */
  files?: readonly FileReference[];
  /** Metadata of the run that the message becomes when its own run ends first. */
  metadata?: Record<string, unknown>;
  /** Milliseconds since 1970. */
  createdAt: number;
  takenAt?: number;
}

export interface SteeringMessageReader {
  /** Messages that the loop of the run has not taken, oldest first. */
  pending(tenantId: string, runId: string): Promise<SteeringMessage[]>;
  /** Counts the pending messages and the UTF-8 bytes of their texts. */
  countPending(tenantId: string, runId: string): Promise<{ count: number; bytes: number }>;
  /** Names the callers whose messages the loop of the run has taken, each once. */
  writersOf(tenantId: string, runId: string): Promise<string[]>;
}

export interface SteeringMessageWriter {
  /** Rejects with `internal` when the id is taken or the run does not exist. */
  insert(message: SteeringMessage): Promise<void>;
  /** Marks messages as taken, except those that were taken before. Resolves with the number that this call marked. */
  take(tenantId: string, ids: readonly string[], takenAt: number): Promise<number>;
}
