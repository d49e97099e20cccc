/** Reads the messages that a turn has not loaded, because a summary covers them or because they are too far back. */
import type { Clock } from '../../port/clock';
import type { ChatMessage } from '../../port/llm';
import type { MessagePlace } from '../../port/store/messages';
import type { Store } from '../../port/store/store';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunTurn } from './run_turn';

/** Returns a function that reads the messages once. Retries while the store is unavailable, until the run is stopped. */
export function earlierMessagesOf(turn: RunTurn, { store, clock }: { store: Store; clock: Clock }): () => Promise<readonly ChatMessage[]> {
  const { run, messages, summary, opening, handle } = turn;
  const [first] = messages;
  // Most turns have loaded every message. The messages of a crew member's person are in the session of its master.
  if ((!summary && !opening) || !first || run.parent) return async () => [];
  let reading: Promise<readonly ChatMessage[]> | undefined;
  const read = async () => {
    const giveUp = () => handle.signal.throwIfAborted();
    const rows = await retryWhileStoreUnavailable(clock, () => store.read.messages.history(run.tenantId, run.sessionId), giveUp);
    return rows.filter(row => isBefore(row, first)).map(({ message }) => message);
  };
  return () => {
    reading ??= read();
    return reading;
  };
}

const isBefore = (place: MessagePlace, other: MessagePlace): boolean =>
  place.runOrdinal < other.runOrdinal || (place.runOrdinal === other.runOrdinal && place.position < other.position);
