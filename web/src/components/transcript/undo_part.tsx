import { useEffect, useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import type { Direction } from '../../chat/tool_call_actions';
import { useMessages } from '../../i18n/language_context';
import type { Messages } from '../../i18n/messages';
import type { ChangeState } from '../../state/view_types';
import { Icon } from '../basic/icon';

/** State of a change. `refused` says why it cannot be undone or redone; after `failed` a retry can help. */
type UndoState = ChangeState | { sending: Direction } | { refused: 'changed' | 'gone'; direction: Direction } | { failed: Direction };

export interface Undo {
  state: UndoState;
  /** The file is as it was before the change. */
  isUndone: boolean;
  send(direction: Direction): Promise<void>;
}

/** `known`: what the gateway said. `onMove` rejects with a RequestError when the change was not undone or redone. */
export function useUndo(known: ChangeState | undefined, onMove: (direction: Direction) => Promise<void>): Undo {
  const [own, setOwn] = useState<UndoState>();
  // A later answer of the gateway counts: another part of the page may have undone or redone the change.
  useEffect(() => setOwn(undefined), [known]);
  const state = own ?? known ?? 'possible';
  const send = async (direction: Direction) => {
    setOwn({ sending: direction });
    try {
      await onMove(direction);
      setOwn(direction === 'undo' ? 'redoable' : 'possible');
    } catch (error) {
      setOwn(toState(error, direction));
    }
  };
  return { state, send, isUndone: state === 'undone' || state === 'redoable' || directionOf(state) === 'redo' };
}

function toState(error: unknown, direction: Direction): UndoState {
  if (!(error instanceof RequestError)) return { failed: direction };
  if (error.code === 'not_found') return { refused: 'gone', direction };
  if (error.code !== 'undo_conflict') return { failed: direction };
  const { status } = error.details;
  if (status === 'undone') return 'redoable';
  if (status === 'not_undone') return 'possible';
  return { refused: status === 'gone' ? 'gone' : 'changed', direction };
}

/** Returns what the person tried, or can do. */
function directionOf(state: UndoState): Direction | undefined {
  if (typeof state !== 'object') return OFFERED[state];
  if ('sending' in state) return state.sending;
  return 'failed' in state ? state.failed : state.direction;
}

const OFFERED: Readonly<Record<ChangeState, Direction | undefined>> = {
  possible: 'undo',
  redoable: 'redo',
  undone: undefined,
  gone: undefined,
};

/** Shows the Undo or Redo button, and the result of the last press. */
export function UndoPart({ undo: { state, send } }: { undo: Undo }) {
  const messages = useMessages();
  const direction = directionOf(state);
  const isSending = typeof state === 'object' && 'sending' in state;
  const isRefused = typeof state === 'object' && 'refused' in state;
  return (
    <div class="undo-part">
      {direction && !isRefused && (
        // One button for both, so that it keeps the focus.
        <button
          type="button"
          class="button"
          data-testid={direction}
          aria-disabled={isSending}
          onClick={() => !isSending && void send(direction)}
        >
          {isSending ? <span class="spinner" /> : <Icon name={direction} />}
          {messages[direction]}
        </button>
      )}
      <span role="status" data-testid="undo-note">
        {noteOf(state, messages)}
      </span>
    </div>
  );
}

function noteOf(state: UndoState, messages: Messages): string {
  if (state === 'undone' || state === 'redoable') return messages.undoneNote;
  if (state === 'gone') return messages.undoRefused.gone;
  if (typeof state !== 'object' || 'sending' in state) return '';
  if ('failed' in state) return messages.requestFailed;
  return (state.direction === 'undo' ? messages.undoRefused : messages.redoRefused)[state.refused];
}
