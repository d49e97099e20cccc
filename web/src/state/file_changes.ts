/** Changes of files that the calls of a chat made. Pure. */
import type { ToolExecutionSummary } from '../api/rest_types';
import type { ChangeState, SessionView, Turn, TurnItem } from './view_types';

/** Tools that change files, as the gateway lists them with `changes=true`. */
const FILE_CHANGING_TOOLS: ReadonlySet<string> = new Set(['patch', 'write_file', 'file_write', 'file_delete']);

/** Returns what a person can do about the change; undefined for a call that kept no change. */
export const changeStateOf = ({ undo, redo }: Pick<ToolExecutionSummary, 'undo' | 'redo'>): ChangeState | undefined =>
  undo === 'undone' && redo === 'possible' ? 'redoable' : undo;

/** The counts of turns that were counted before: the page counts at each piece of text, which changes one turn. */
const counts = new WeakMap<Turn, number>();

/** Counts the changes of files in the turns that the page has loaded. */
export const countFileChanges = ({ turns }: SessionView): number => turns.reduce((sum, turn) => sum + countOfTurn(turn), 0);

function countOfTurn(turn: Turn): number {
  const count = counts.get(turn) ?? turn.items.filter(isChange).length;
  counts.set(turn, count);
  return count;
}

/** Returns the runs of the loaded turns that have changed files. A branch shows runs of the chat that it left. */
export const runsWithChanges = ({ turns }: SessionView): string[] =>
  turns.flatMap(({ runId, items }) => (runId !== undefined && items.some(isChange) ? [runId] : []));

/** Returns the sessions of the crew members who worked in the loaded turns. */
export const sessionsOfCrew = ({ turns }: SessionView): string[] => [
  ...new Set(turns.flatMap(({ items }) => items.flatMap(item => (item.kind === 'delegate' ? [item.childSessionId] : [])))),
];

const isChange = (item: TurnItem): boolean =>
  item.kind === 'tool' && (item.state === 'ok' || item.state === 'ended') && FILE_CHANGING_TOOLS.has(item.name);
