/** Changes of files that the calls of a chat made. Pure. */
import type { ToolExecutionSummary } from '../api/rest_types';
import type { ChangeState, SessionView } from './view_types';

/** Tools that change files, as the gateway lists them with `changes=true`. */
const FILE_CHANGING_TOOLS: ReadonlySet<string> = new Set(['patch', 'write_file', 'file_write', 'file_delete']);

/** Returns what a person can do about the change; undefined for a call that kept no change. */
export const changeStateOf = ({ undo, redo }: Pick<ToolExecutionSummary, 'undo' | 'redo'>): ChangeState | undefined =>
  undo === 'undone' && redo === 'possible' ? 'redoable' : undo;

/** Counts the changes of files in the turns that the page has loaded. */
export function countFileChanges({ turns }: SessionView): number {
  let count = 0;
  for (const { items } of turns) {
    for (const item of items) {
      if (item.kind === 'tool' && (item.state === 'ok' || item.state === 'ended') && FILE_CHANGING_TOOLS.has(item.name)) count++;
    }
  }
  return count;
}
