/** Changes of files that the calls of a chat made. Pure. */
import { FILE_CHANGING_TOOLS } from '../../../src/port/file_changing_tools';
import type { ToolExecutionSummary } from '../api/rest_types';
import type { ChangeState, SessionView, Turn, TurnItem } from './view_types';

/** Returns what a person can do about the change; undefined for a call that kept no change. */
export const changeStateOf = ({ undo, redo }: Pick<ToolExecutionSummary, 'undo' | 'redo'>): ChangeState | undefined =>
  undo === 'undone' && redo === 'possible' ? 'redoable' : undo;

/**
 * Returns a function that counts the changes of files in the loaded turns, or other items. It is called at each change of the page, and counts only in
 * turns that have changed since the call before.
 */
export function createChangeCounter(isCounted: (item: TurnItem) => boolean = isChange): (view: SessionView) => number {
  const countInTurn = (turn: Turn | undefined): number => turn?.items.filter(isCounted).length ?? 0;
  let counted: readonly Turn[] = [];
  let sum = 0;
  return ({ turns }) => {
    if (turns === counted) return sum;
    for (let i = 0; i < Math.max(turns.length, counted.length); i += 1) {
      const turn = turns[i];
      const before = counted[i];
      if (turn !== before) sum += countInTurn(turn) - countInTurn(before);
    }
    counted = turns;
    return sum;
  };
}

/** A task of a crew member, who may have changed files too. */
export const isDelegation = (item: TurnItem): boolean => item.kind === 'delegate';

const isChange = (item: TurnItem): boolean =>
  item.kind === 'tool' && (item.state === 'ok' || item.state === 'ended') && FILE_CHANGING_TOOLS.includes(item.name);
