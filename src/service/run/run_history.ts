/** Reads what the model gets to see from the stored messages of a run. */
import type { ChatMessage, ForeignText } from '../../port/llm';
import type { MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { AgentRunParams } from '../../runtime/agent_run';
import { historyProblem, repairHistory } from '../../runtime/history';
import type { RunTurn } from './run_turn';

/** Returns what is foreign in the message with which the run began. */
export function foreignIn(messages: readonly MessageRecord[], { ordinal }: RunRecord): ForeignText | undefined {
  const first = messages.find(row => row.runOrdinal === ordinal)?.message;
  return first?.role === 'user' ? first.foreign : undefined;
}

/** The messages up to this run. Messages of later, queued runs are left out. */
export function historyOf({ messages, run, resumed }: RunTurn): AgentRunParams['history'] {
  const history: ChatMessage[] = [];
  for (const row of messages) if (row.runOrdinal <= run.ordinal) history.push(row.message);
  // Checking costs less than repairing, and messages that were checked are not checked again before each model call.
  return historyProblem(history) === undefined ? history : repairHistory(history, { locale: run.locale, keepOpen: resumed !== undefined });
}
