import { useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import { useMessages } from '../../i18n/language_context';
import type { Messages } from '../../i18n/messages';
import type { ToolItem } from '../../state/view_types';
import { Icon } from '../basic/icon';

/** State of an undo. `refused` says why the change cannot be undone; after `failed` a retry can help. */
export type UndoState = 'offered' | 'sending' | 'undone' | { refused: 'changed' | 'gone' } | 'failed';

export interface Undo {
  state: UndoState;
  send(): Promise<void>;
}

/** `known`: what the gateway said. `onUndo` rejects with a RequestError when the change was not undone. */
export function useUndo(known: ToolItem['undo'], onUndo: () => Promise<void>): Undo {
  const [own, setState] = useState<UndoState>('offered');
  const state = own === 'offered' ? KNOWN[known ?? 'possible'] : own;
  const send = async () => {
    setState('sending');
    try {
      await onUndo();
      setState('undone');
    } catch (error) {
      setState(toState(error));
    }
  };
  return { state, send };
}

const KNOWN: Readonly<Record<NonNullable<ToolItem['undo']>, UndoState>> = {
  possible: 'offered',
  undone: 'undone',
  gone: { refused: 'gone' },
};

function toState(error: unknown): UndoState {
  if (!(error instanceof RequestError)) return 'failed';
  if (error.code === 'not_found') return { refused: 'gone' };
  if (error.code !== 'undo_conflict') return 'failed';
  return error.details['status'] === 'undone' ? 'undone' : { refused: 'changed' };
}

/** Shows the Undo button, or the result of the undo. */
export function UndoPart({ undo: { state, send } }: { undo: Undo }) {
  const messages = useMessages();
  const isOpen = state === 'offered' || state === 'sending' || state === 'failed';
  return (
    <div class="undo-part">
      {isOpen && (
        <button type="button" class="button" data-testid="undo" disabled={state === 'sending'} onClick={() => void send()}>
          {state === 'sending' ? <span class="spinner" /> : <Icon name="undo" />}
          {messages.undo}
        </button>
      )}
      <span role="status" data-testid="undo-note">
        {noteOf(state, messages)}
      </span>
    </div>
  );
}

function noteOf(state: UndoState, messages: Messages): string {
  if (typeof state === 'object') return messages.undoRefused[state.refused];
  if (state === 'undone') return messages.undoneNote;
  return state === 'failed' ? messages.requestFailed : '';
}
