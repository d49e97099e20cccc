import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { ProjectDialog } from './project_dialog';
import { RemoveDialog } from './remove_dialog';

interface SelectionBarProps {
  controller: ChatController;
  sessions: readonly SessionSummary[];
  /** Takes chats out of the selection, which ends with the last one. */
  onDeselect: (ids: readonly string[]) => void;
  /** Ends the selection. */
  onDone: () => void;
}

/** What a person can do with the selected chats. */
export function SelectionBar({ controller, sessions, onDeselect, onDone }: SelectionBarProps) {
  const messages = useMessages();
  const [dialog, setDialog] = useState<'move' | 'remove'>();
  const isNone = sessions.length === 0;
  const archive = () => {
    const ids = sessions.map(({ id }) => id);
    void controller.sessions.change(ids, { archived: true }).then(onDeselect);
  };
  const close = () => setDialog(undefined);
  return (
    <div class="selection-bar" data-testid="selection-bar">
      <p role="status">{messages.chatsSelected(sessions.length)}</p>
      <div class="selection-buttons">
        <button type="button" class="button" disabled={isNone} data-testid="archive-selected" onClick={archive}>
          {messages.archive}
        </button>
        <button type="button" class="button" disabled={isNone} data-testid="move-selected" onClick={() => setDialog('move')}>
          {messages.move}
        </button>
        <button type="button" class="button danger" disabled={isNone} data-testid="delete-selected" onClick={() => setDialog('remove')}>
          {messages.remove}
        </button>
        <button type="button" class="button" onClick={onDone}>
          {messages.cancel}
        </button>
      </div>
      {dialog === 'move' && <ProjectDialog controller={controller} sessions={sessions} onClose={close} onMoved={onDeselect} />}
      {dialog === 'remove' && <RemoveDialog controller={controller} sessions={sessions} onClose={close} onRemoved={onDeselect} />}
    </div>
  );
}
