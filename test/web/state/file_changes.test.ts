/** The number of file changes, which the page counts at each piece of text. */
import { createChangeCounter } from '../../../web/src/state/file_changes';
import { createTurn } from '../../../web/src/state/turn_reducer';
import type { ToolItem, Turn } from '../../../web/src/state/view_types';

const call = (id: string, name: string, state: ToolItem['state'] = 'ok'): ToolItem => ({
  kind: 'tool',
  id,
  toolCallId: id,
  name,
  label: name,
  args: {},
  state,
  output: '',
});

/** `reads` counts how often the items of the turn were looked at. */
function countedTurn(runId: string, items: readonly ToolItem[], reads: { count: number }): Turn {
  return Object.defineProperty({ ...createTurn(runId, '') }, 'items', {
    get: () => {
      reads.count += 1;
      return items;
    },
  });
}

it('counts changes of files, again only in turns that have changed', () => {
  const reads = { count: 0 };
  const old = countedTurn('a', [call('1', 'patch'), call('2', 'read_file'), call('3', 'write_file', 'failed')], reads);
  const count = createChangeCounter();
  expect(count({ turns: [old] })).toBe(1);
  const live = { ...createTurn('b', ''), items: [call('4', 'file_delete')] };
  expect(count({ turns: [old, { ...live, items: [] }] })).toBe(1);
  expect(count({ turns: [old, live] })).toBe(2);
  expect(reads.count).toBe(1);
  // Earlier turns appear, another chat opens.
  expect(count({ turns: [{ ...live, runId: 'z' }, old, live] })).toBe(3);
  expect(count({ turns: [live] })).toBe(1);
});
