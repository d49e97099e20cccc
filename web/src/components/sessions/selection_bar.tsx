import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { ProjectDialog } from './project_dialog';

interface SelectionBarProps {
  controller: ChatController;
  sessions: readonly SessionSummary[];
  onRemove: (sessions: readonly SessionSummary[]) => void;
  /** Ends the selection. */
  onDone: () => void;
}

/** What a person can do with the selected chats. */
export function SelectionBar({ controller, sessions, onRemove, onDone }: SelectionBarProps) {
  const messages = useMessages();
  const [isMoving, setMoving] = useState(false);
  const isNone = sessions.length === 0;
  const archive = () => {
    const ids = sessions.map(({ id }) => id);
    onDone();
    void controller.sessions.change(ids, { archived: true });
  };
  return (
    <div class="selection-bar" data-testid="selection-bar">
      <p role="status">{messages.chatsSelected(sessions.length)}</p>
      <div class="selection-buttons">
        <button type="button" class="button" disabled={isNone} data-testid="archive-selected" onClick={archive}>
          {messages.archive}
        </button>
        <button type="button" class="button" disabled={isNone} data-testid="move-selected" onClick={() => setMoving(true)}>
          {messages.move}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={isNone}
          data-testid="delete-selected"
          onClick={() => {
            onDone();
            onRemove(sessions);
          }}
        >
          {messages.remove}
        </button>
        <button type="button" class="button" onClick={onDone}>
          {messages.cancel}
        </button>
      </div>
      {isMoving && <ProjectDialog controller={controller} sessions={sessions} onClose={onDone} />}
    </div>
  );
}
