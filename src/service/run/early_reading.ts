/**
 * What a run needs to know of its session when it begins in the transaction that accepts it. The reads go to the store together with those that decide
 * on the request, because a wait for each of them would delay the model.
 */
import type { StoreReader } from '../../port/store/store';
import type { TodoListRecord } from '../../port/store/todos';
import type { EarlyHistory, HistoryCache } from '../session/history_cache';
import type { StartRequest } from './start_request';

export interface EarlyReading {
  plan: Promise<TodoListRecord | undefined>;
  /** Absent: the messages can only be read once the run is inserted. */
  history: EarlyHistory | undefined;
}

export function readEarly(
  { histories }: { histories: HistoryCache },
  { tenantId, sessionId, given, text }: StartRequest,
  read: StoreReader,
): EarlyReading {
  const plan = sessionId === undefined ? Promise.resolve(undefined) : read.todos.get(tenantId, sessionId);
  plan.catch(() => {});
  // Messages that a program gives, and a text that Postgres stores in another form, are read as they are stored.
  const isPlain = !given && !text.includes('\0');
  return { plan, history: isPlain ? histories.readEarly({ tenantId, sessionId }, read) : undefined };
}
