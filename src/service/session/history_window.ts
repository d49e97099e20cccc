/**
 * Decides how far back a turn reads the history of its session, so that the cost of a turn does not grow with the session: a little further than
 * the model's context can hold.
 */
import type { MessagePlace, MessageSize } from '../../port/store/messages';
import { BYTES_PER_TOKEN } from '../../runtime/fit_history';

/** The largest history that a model can get: a number of messages, and their bytes as JSON. */
export interface HistoryWindow {
  messages: number;
  bytes: number;
}

/**
 * Bytes that a token may have at most; most text has 3 to 5. With compaction, a turn reads more than goes to the model, so that the messages to
 * summarise are loaded.
 */
const MOST_BYTES_PER_TOKEN = 5;
const MESSAGES_TO_COMPACT = 1.5;

/** `models.mostContextTokens`: the largest context window of the models, which may change. */
export function createHistoryWindow(
  { maxContextMessages, compactAt }: { maxContextMessages: number; compactAt: number },
  models: { readonly mostContextTokens: number },
): HistoryWindow {
  return {
    messages: maxContextMessages * (compactAt > 0 ? MESSAGES_TO_COMPACT : 1),
    get bytes() {
      return models.mostContextTokens * (compactAt > 0 ? MOST_BYTES_PER_TOKEN : BYTES_PER_TOKEN);
    },
  };
}

/** The start moves within a quarter of the window. */
const SLACK = 1.25;
/** More than the messages of a run. */
const PLACES_PER_RUN = 2 ** 20;

/** Number of messages whose sizes `windowStart` needs. */
export const sizesToRead = ({ messages }: HistoryWindow): number => Math.ceil(messages * SLACK) + 1;

/**
 * Returns the message to start at; undefined when the window holds all messages. `sizes`: of the newest messages, newest first. Prefers the start
 * of a run, and of these a round ordinal: the same start then serves many turns, and the server's prompt cache keeps its hits.
 */
export function windowStart(sizes: readonly MessageSize[], window: HistoryWindow): MessagePlace | undefined {
  const least = firstBeyond(sizes, window);
  if (least === -1) return undefined;
  const most = firstBeyond(sizes, { messages: window.messages * SLACK, bytes: window.bytes * SLACK });
  const candidates = sizes.slice(least, most === -1 ? undefined : most + 1);
  return candidates.reduce((best, place) => (roundness(place) > roundness(best) ? place : best));
}

/** Returns the index of the first message with which the sum exceeds the window, or -1. */
function firstBeyond(sizes: readonly MessageSize[], window: HistoryWindow): number {
  let sum = 0;
  return sizes.findIndex(({ bytes }, i) => {
    sum += bytes;
    return i >= window.messages || sum > window.bytes;
  });
}

/** Counts how often 2 divides the place; the start of a run counts for more than any other message. */
function roundness({ runOrdinal, position }: MessagePlace): number {
  let place = runOrdinal * PLACES_PER_RUN + position;
  if (place === 0) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (; place % 2 === 0; place /= 2) count += 1;
  return count;
}
